import { EMPTY_KECCAK } from '@tetrad/crypto';
import {
  StateDatabase,
  decodeAccount,
  flatEntries,
  type FlatEntry,
  type StateSource,
} from '@tetrad/node-execution';
import type { ContentKind } from '@tetrad/node-peer';
import type { LedgerStore } from '@tetrad/node-store';
import { hashToBytes, silentMetrics, type Hash } from '@tetrad/types';
import { Contents, keyOf } from './contents.js';
import type { SourcePool } from './source-pool.js';

export interface HealedStateOptions {
  readonly store: Pick<LedgerStore, 'stateSync' | 'findNode' | 'findCode' | 'findPreimage' | 'flatState'>;
  readonly pool: SourcePool;
  /** The block whose state is taken, and its root. */
  readonly block: number;
  readonly stateRoot: Hash;
}

const ADDRESS_BYTES = 20;
/** A part of a state without anything in it. */
const NOTHING = { nodes: [], codes: [], preimages: [], flat: [] };

/**
 * The state of a block over parts of the states of others: all of it is read once, and what is missing is taken from peers and
 * stored.
 *
 * Cost: reads every node of the state
 */
export class HealedState implements StateSource {
  private readonly contents: Contents;

  constructor(private readonly options: HealedStateOptions) {
    this.contents = new Contents(options.pool, options.block);
  }

  /**
   * Builds the flat state of the root.
   * @throws TargetLostError when no peer has what is missing
   */
  async run(): Promise<void> {
    const { store, stateRoot } = this.options;
    const world = await new StateDatabase({ source: this, metrics: silentMetrics }).openWorld(stateRoot);
    await store.flatState.rebuild(stateRoot, this.withCodes(flatEntries(world)));
  }

  findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.find('node', hash);
  }

  findCode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.find('code', hash);
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.find('preimage', hash);
  }

  private async *withCodes(entries: AsyncIterable<FlatEntry>): AsyncGenerator<FlatEntry> {
    for await (const entry of entries) {
      if (entry.key.length === ADDRESS_BYTES) {
        const { codeHash } = decodeAccount(entry.value);
        if (codeHash !== EMPTY_KECCAK) await this.findCode(hashToBytes(codeHash));
      }
      yield entry;
    }
  }

  private async find(what: ContentKind, hash: Uint8Array): Promise<Uint8Array | undefined> {
    const { store } = this.options;
    const stored = await (what === 'node'
      ? store.findNode(hash)
      : what === 'code'
        ? store.findCode(hash)
        : store.findPreimage(hash));
    if (stored !== undefined) return stored;
    const bytes = (await this.contents.fetch(what, [hash])).get(keyOf(hash));
    if (bytes === undefined) return undefined;
    const rows = [{ hash, bytes }];
    const kind = what === 'node' ? 'nodes' : what === 'code' ? 'codes' : 'preimages';
    await store.stateSync.put({ ...NOTHING, [kind]: rows });
    return bytes;
  }
}
