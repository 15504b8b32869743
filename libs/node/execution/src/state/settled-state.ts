import type { Account } from '@ethereumjs/util';
import type { StateChanges } from './state-changes.js';
import { keyOf } from './state-keys.js';
import type { StateReader } from './state-reader.js';

/** The state after changes that are not stored: of the pending block, or of one that is being tried. */
export class SettledState implements StateReader {
  private readonly nodes: ReadonlyMap<string, Uint8Array>;
  private readonly codes: ReadonlyMap<string, Uint8Array>;
  private readonly preimages: ReadonlyMap<string, Uint8Array>;

  constructor(
    private readonly base: StateReader,
    changes: StateChanges,
  ) {
    this.nodes = new Map(changes.nodes.map(({ hash, encoded }) => [keyOf(hash), encoded]));
    this.codes = new Map(changes.codes.map(({ hash, code }) => [keyOf(hash), code]));
    this.preimages = new Map(changes.preimages.map(({ hash, value }) => [keyOf(hash), value]));
  }

  async findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.nodes.get(keyOf(hash)) ?? this.base.findNode(hash);
  }

  async readCode(hash: Uint8Array): Promise<Uint8Array> {
    return this.codes.get(keyOf(hash)) ?? this.base.readCode(hash);
  }

  async findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.preimages.get(keyOf(hash)) ?? this.base.findPreimage(hash);
  }

  cachedAccount(): { readonly account: Account | null } | undefined {
    return undefined;
  }

  cachedSlot(): Uint8Array | undefined {
    return undefined;
  }

  rememberAccount(): void {
    // Read once or twice and thrown away; the base's caches are for the newest root.
  }

  rememberSlot(): void {
    // As above.
  }
}
