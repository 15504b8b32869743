import type { Hash } from '@tetrad/types';
import type { StoredFlatEntry } from './flat-state-rows.js';
import type { FlatRows } from './flat-state-store.js';
import type { StoredBlock, BlockWrite, StoredTransaction } from './ledger-rows.js';
import type { LedgerStore } from './ledger-store.js';
import { PendingBlocks } from './pending-blocks.js';

/** When blocks that were appended are stored. */
export interface GroupLimits {
  readonly blocks: number;
  /** Bytes of their rows. */
  readonly bytes: number;
}

type GroupedStore = Pick<
  LedgerStore,
  'appendBlocks' | 'findHead' | 'findBlockByNumber' | 'listTransactions' | 'findNode' | 'findCode'
> &
  Pick<LedgerStore, 'findPreimage' | 'flatState'>;

/**
 * Stores blocks in groups, each in one transaction, while later blocks are executed: for an import, which can be
 * repeated from the last stored block.
 *
 * What a block reads of those before it comes from memory until they are stored. At most two groups are in memory: one
 * that is being stored and one that is being filled. A crash loses both, and nothing of one is ever stored alone.
 */
export class GroupedBlocks {
  private filling = new PendingBlocks();
  private storing: PendingBlocks | undefined;
  private stored: Promise<void> = Promise.resolve();
  private failure: { readonly error: unknown } | undefined;
  /** The root of the stored flat state, as far as this process knows. */
  private flatRoot: Hash | undefined;

  constructor(
    private readonly base: GroupedStore,
    private readonly limits: GroupLimits,
  ) {}

  /** The store with these blocks. Reads that need rows of several kinds wait until everything is stored. */
  over(store: LedgerStore): LedgerStore {
    const settled = async () => {
      await this.flush();
      return store;
    };
    return {
      ...store,
      appendBlock: (write) => this.append(write),
      appendBlocks: async (writes) => {
        for (const write of writes) await this.append(write);
      },
      findHead: () => this.findHead(),
      findBlockByNumber: (number) => this.findBlock(number),
      listTransactions: (number) => this.listTransactions(number),
      findNode: async (hash) => this.inMemory((group) => group.findNode(hash)) ?? this.base.findNode(hash),
      findCode: async (hash) => this.inMemory((group) => group.findCode(hash)) ?? this.base.findCode(hash),
      findPreimage: async (hash) =>
        this.inMemory((group) => group.findPreimage(hash)) ?? this.base.findPreimage(hash),
      flatState: this.flatRows(),
      listBlocks: async (from, to) => (await settled()).listBlocks(from, to),
      findBlockByHash: async (hash) => (await settled()).findBlockByHash(hash),
      findTransaction: async (hash) => (await settled()).findTransaction(hash),
      listBlockLogs: async (number, part) => (await settled()).listBlockLogs(number, part),
      listAt: async (places) => (await settled()).listAt(places),
      findLogs: async (query) => (await settled()).findLogs(query),
    };
  }

  /**
   * Stores everything that was appended.
   * @throws as the database does; later calls fail the same way
   */
  async flush(): Promise<void> {
    await this.storeGroup();
    await this.stored;
    this.assertSound();
  }

  /** Resolves once the block is in memory, and fails for a group before it that could not be stored. */
  private async append(write: BlockWrite): Promise<void> {
    this.assertSound();
    this.filling.add(write);
    const { blocks, bytes } = this.filling;
    if (blocks.length >= this.limits.blocks || bytes >= this.limits.bytes) await this.storeGroup();
  }

  /** Starts to store the group that was filled, once the one before it is stored. */
  private async storeGroup(): Promise<void> {
    while (this.storing !== undefined) {
      await this.stored;
      this.assertSound();
    }
    if (this.filling.blocks.length === 0) return;
    const group = this.filling;
    this.filling = new PendingBlocks();
    this.storing = group;
    this.stored = this.base.appendBlocks(group.blocks).then(
      () => {
        this.flatRoot = group.flatRoot ?? this.flatRoot;
        this.storing = undefined;
      },
      (error: unknown) => {
        this.failure = { error };
      },
    );
  }

  private assertSound(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }

  /** Newest first. */
  private inMemory<T>(find: (group: PendingBlocks) => T | undefined): T | undefined {
    return find(this.filling) ?? (this.storing && find(this.storing));
  }

  private async findHead(): Promise<StoredBlock | undefined> {
    return this.inMemory(({ blocks }) => blocks.at(-1)?.block) ?? this.base.findHead();
  }

  private async findBlock(number: number): Promise<StoredBlock | undefined> {
    const pending = this.inMemory((group) => group.findBlock(number));
    return pending?.block ?? this.base.findBlockByNumber(number);
  }

  private async listTransactions(number: number): Promise<StoredTransaction[]> {
    const pending = this.inMemory((group) => group.findBlock(number));
    return pending === undefined ? this.base.listTransactions(number) : [...pending.transactions];
  }

  private flatRows(): FlatRows {
    const { flatState } = this.base;
    return {
      find: (root, key) => this.findFlat(root, key),
      findRoot: async () => this.inMemory(({ flatRoot }) => flatRoot) ?? flatState.findRoot(),
      rebuild: async (root: Hash, entries: AsyncIterable<StoredFlatEntry>) => {
        await this.flush();
        await flatState.rebuild(root, entries);
      },
    };
  }

  /**
   * A key that no block in memory has changed has the same value at all roots between the stored one and the newest, so
   * that the rows may move meanwhile.
   */
  private async findFlat(root: Hash, key: Uint8Array): Promise<Uint8Array | null | undefined> {
    const { flatState } = this.base;
    const newest = this.inMemory(({ flatRoot }) => flatRoot);
    if (newest === undefined) return flatState.find(root, key);
    if (newest !== root) return undefined;
    const own = this.filling.findFlat(key);
    const pending = own === undefined ? this.storing?.findFlat(key) : own;
    if (pending !== undefined) return pending;
    const roots = [this.flatRoot ?? (await flatState.findRoot()), this.storing?.flatRoot];
    for (const stored of roots) {
      const found = stored === undefined ? undefined : await flatState.find(stored, key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
