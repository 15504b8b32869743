import { hexFromBytes, silentMetrics, type Hash } from '@tetrad/types';
import { flatChanges, type FlatSource } from '../state/flat-state.js';
import type { StateChanges } from '../state/state-changes.js';
import type { StateSource } from '../state/node-cache.js';
import { EMPTY_STORAGE_ROOT } from '../state/stored-account.js';
import { DEFAULT_STATE_CACHE_LIMITS, StateDatabase, type StateCacheLimits } from '../state/state-database.js';

/** The caches take their space when they are made, several times in a test. */
const LIMITS: StateCacheLimits = { ...DEFAULT_STATE_CACHE_LIMITS, accounts: 2_000, slots: 2_000 };

/** A state source for tests that keeps what a ledger would store, flat too, and counts what is read from it. */
export class MemoryState implements StateSource {
  readonly database: StateDatabase;
  reads = 0;
  /** The flat state: hex of its keys. */
  readonly entries = new Map<string, Uint8Array>();
  private flatRoot: Hash = EMPTY_STORAGE_ROOT;
  readonly flat: FlatSource = {
    find: async (root, key) => {
      this.reads++;
      return root === this.flatRoot ? (this.entries.get(hexFromBytes(key)) ?? null) : undefined;
    },
  };
  private readonly nodes = new Map<string, Uint8Array>();
  private readonly codes = new Map<string, Uint8Array>();
  private readonly preimages = new Map<string, Uint8Array>();

  constructor(private readonly limits: StateCacheLimits = LIMITS) {
    this.database = new StateDatabase({
      source: this,
      flat: this.flat,
      metrics: silentMetrics,
      limits,
    });
  }

  /** Stores the changes as a ledger does with a block; the new root. */
  store(changes: StateChanges): Hash {
    for (const { hash, encoded } of changes.nodes) this.nodes.set(hexFromBytes(hash), encoded);
    for (const { hash, code } of changes.codes) this.codes.set(hexFromBytes(hash), code);
    for (const { hash, value } of changes.preimages) this.preimages.set(hexFromBytes(hash), value);
    if (changes.parentRoot === this.flatRoot) this.storeFlat(changes);
    this.database.adopt(changes);
    return changes.stateRoot;
  }

  private storeFlat(changes: StateChanges): void {
    const { cleared, removed, put, stateRoot } = flatChanges(changes);
    const under = cleared.map(hexFromBytes);
    for (const key of this.entries.keys())
      if (under.some((one) => key.startsWith(one))) this.entries.delete(key);
    for (const key of removed) this.entries.delete(hexFromBytes(key));
    for (const { key, value } of put) this.entries.set(hexFromBytes(key), value);
    this.flatRoot = stateRoot;
  }

  /** The same stored state behind empty caches, as after a restart. */
  reopened(): StateDatabase {
    const database = new StateDatabase({
      source: this,
      flat: this.flat,
      metrics: silentMetrics,
      limits: this.limits,
    });
    database.resume(this.flatRoot);
    return database;
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
