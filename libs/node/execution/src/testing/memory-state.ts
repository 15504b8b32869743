import { hexFromBytes, silentMetrics, type Hash } from '@tetrad/types';
import type { StateChanges } from '../state/state-changes.js';
import { StateDatabase, type StateCacheLimits, type StateSource } from '../state/state-database.js';

/** A state source for tests that keeps what a ledger would store, and counts what is read from it. */
export class MemoryState implements StateSource {
  readonly database: StateDatabase;
  reads = 0;
  private readonly nodes = new Map<string, Uint8Array>();
  private readonly codes = new Map<string, Uint8Array>();
  private readonly preimages = new Map<string, Uint8Array>();

  constructor(limits?: StateCacheLimits) {
    this.database = new StateDatabase({
      source: this,
      metrics: silentMetrics,
      ...(limits === undefined ? {} : { limits }),
    });
  }

  /** Stores the changes as a ledger does with a block; the new root. */
  store(changes: StateChanges): Hash {
    for (const { hash, encoded } of changes.nodes) this.nodes.set(hexFromBytes(hash), encoded);
    for (const { hash, code } of changes.codes) this.codes.set(hexFromBytes(hash), code);
    for (const { hash, value } of changes.preimages) this.preimages.set(hexFromBytes(hash), value);
    this.database.adopt(changes);
    return changes.stateRoot;
  }

  /** The same stored state behind empty caches, as after a restart. */
  reopened(): StateDatabase {
    return new StateDatabase({ source: this, metrics: silentMetrics });
  }

  async findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    this.reads++;
    return this.nodes.get(hexFromBytes(hash));
  }

  async findCode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    this.reads++;
    return this.codes.get(hexFromBytes(hash));
  }

  async findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    this.reads++;
    return this.preimages.get(hexFromBytes(hash));
  }
}
