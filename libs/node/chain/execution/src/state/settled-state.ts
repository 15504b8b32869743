import type { CodeCache } from '@tetrad/node-evm';
import { hashFromBytes, type Hash } from '@tetrad/types';
import type { StateChanges } from './state-changes.js';
import { keyOf } from './state-keys.js';
import type { StateReader } from './state-reader.js';

/** The state after changes that are not stored: of the pending block, or of a block under verification. */
export class SettledState implements StateReader {
  private readonly nodes: ReadonlyMap<string, Uint8Array>;
  private readonly codes: ReadonlyMap<Hash, Uint8Array>;
  private readonly preimages: ReadonlyMap<string, Uint8Array>;

  constructor(
    private readonly base: StateReader,
    changes: StateChanges,
  ) {
    this.nodes = new Map(changes.nodes.map(({ hash, encoded }) => [keyOf(hash), encoded]));
    this.codes = new Map(changes.codes.map(({ hash, code }) => [hashFromBytes(hash), code]));
    this.preimages = new Map(changes.preimages.map(({ hash, value }) => [keyOf(hash), value]));
  }

  get programs(): CodeCache {
    return this.base.programs;
  }

  cachedNode(hash: Uint8Array): Uint8Array | undefined {
    return this.nodes.get(keyOf(hash)) ?? this.base.cachedNode(hash);
  }

  async findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.nodes.get(keyOf(hash)) ?? this.base.findNode(hash);
  }

  cachedCode(hash: Hash): Uint8Array | undefined {
    return this.codes.get(hash) ?? this.base.cachedCode(hash);
  }

  async readCode(hash: Hash): Promise<Uint8Array> {
    return this.codes.get(hash) ?? this.base.readCode(hash);
  }

  async findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.preimages.get(keyOf(hash)) ?? this.base.findPreimage(hash);
  }

  async findFlat(): Promise<undefined> {
    // The stored flat state is that before the changes.
  }

  cachedAccount(): undefined {
    return undefined;
  }

  cachedSlot(): undefined {
    return undefined;
  }

  rememberAccount(): void {
    // Not cached: this state is read once or twice, and the base's caches are for the newest root.
  }

  rememberSlot(): void {
    // As above.
  }
}
