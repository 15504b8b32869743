import type { StateSource } from '@tetrad/node-execution';
import type { ContentKind } from '@tetrad/node-peer';
import type { LedgerStore } from '@tetrad/node-store';
import { Contents, keyOf } from './contents.js';
import type { SourcePool } from './source-pool.js';

export interface FetchedStateOptions {
  readonly store: Pick<LedgerStore, 'stateSync' | 'findNode' | 'findCode' | 'findPreimage'>;
  readonly pool: SourcePool;
  /** The block whose state has what is missing. */
  readonly block: number;
}

interface Wanted {
  readonly what: ContentKind;
  readonly hash: Uint8Array;
  readonly done: (bytes: Uint8Array) => void;
  readonly failed: (error: unknown) => void;
}

const NOTHING = { nodes: [], codes: [], preimages: [], flat: [] };
const ROWS = { node: 'nodes', code: 'codes', preimage: 'preimages' } as const;

/** What is stored of states; what is missing is taken from peers, that of one turn together, and stored. */
export class FetchedState implements StateSource {
  private readonly contents: Contents;
  private waiting: Wanted[] = [];

  constructor(private readonly options: FetchedStateOptions) {
    this.contents = new Contents(options.pool, options.block);
  }

  /** @throws TargetLostError when no peer has it */
  async findNode(hash: Uint8Array): Promise<Uint8Array> {
    return (await this.options.store.findNode(hash)) ?? this.fetch('node', hash);
  }

  /** @throws as `findNode` */
  async findCode(hash: Uint8Array): Promise<Uint8Array> {
    return (await this.options.store.findCode(hash)) ?? this.fetch('code', hash);
  }

  /** @throws as `findNode` */
  async findPreimage(hash: Uint8Array): Promise<Uint8Array> {
    return (await this.options.store.findPreimage(hash)) ?? this.fetch('preimage', hash);
  }

  private fetch(what: ContentKind, hash: Uint8Array): Promise<Uint8Array> {
    return new Promise((done, failed) => {
      this.waiting.push({ what, hash, done, failed });
      // Others of this turn still look in the database.
      if (this.waiting.length === 1) setImmediate(() => void this.fetchWaiting());
    });
  }

  private async fetchWaiting(): Promise<void> {
    const all = this.waiting.splice(0);
    const kinds = [...new Set(all.map(({ what }) => what))];
    await Promise.all(
      kinds.map((what) =>
        this.fetchAll(
          what,
          all.filter((one) => one.what === what),
        ),
      ),
    );
  }

  private async fetchAll(what: ContentKind, wanted: readonly Wanted[]): Promise<void> {
    try {
      const found = await this.contents.fetch(
        what,
        wanted.map(({ hash }) => hash),
      );
      const rows = [...found].map(([key, bytes]) => ({ hash: Buffer.from(key, 'hex'), bytes }));
      await this.options.store.stateSync.put({ ...NOTHING, [ROWS[what]]: rows });
      for (const { hash, done } of wanted) done(found.get(keyOf(hash)) as Uint8Array);
    } catch (error) {
      for (const { failed } of wanted) failed(error);
    }
  }
}
