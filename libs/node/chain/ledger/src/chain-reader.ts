import type { LedgerStore, StoredTransaction, TransactionPlace } from '@tetrad/node-store';
import type {
  Block,
  Counter,
  Hash,
  LogFilter,
  Metrics,
  MinedLog,
  MinedReceipt,
  MinedTransaction,
  Receipt,
  SealedHeader,
} from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import {
  minedReceipts,
  positionIn,
  toBlock,
  toReceipt,
  toReceipts,
  toSealedHeader,
  toTransaction,
} from './block-rows.js';

export interface ChainReaderOptions {
  readonly store: LedgerStore;
  readonly chainId: bigint;
  /** Transactions of ordinary size whose blocks and receipts are kept; large ones count for several. */
  readonly cachedTransactions: number;
  readonly metrics: Metrics;
}

/** Bytes of data that count as one transaction in the caches. */
const ORDINARY_BYTES = 512;

/** Reads blocks and receipts from the store, the newest of them from memory. */
export class ChainReader {
  private readonly blocks: LRUCache<number, Block>;
  private readonly receipts: LRUCache<number, readonly MinedReceipt[]>;
  private readonly numbers = new Map<Hash, number>();
  /** The cached receipts by transaction, but for those of the blocks below. */
  private readonly byTransaction = new Map<Hash, MinedReceipt>();
  /** Blocks since the last look-up of a transaction: an import of a chain looks none up. */
  private readonly unordered = new Set<number>();
  private readonly reads: Counter;

  constructor(private readonly options: ChainReaderOptions) {
    const { cachedTransactions: maxSize, metrics } = options;
    this.blocks = new LRUCache({
      maxSize,
      sizeCalculation: (block) => Math.min(weighBlock(block), maxSize),
      dispose: (block) => this.numbers.delete(block.hash),
    });
    this.receipts = new LRUCache({
      maxSize,
      sizeCalculation: (receipts) => Math.min(weighReceipts(receipts), maxSize),
      dispose: (receipts, number) => {
        if (this.unordered.delete(number)) return;
        for (const { transaction } of receipts) this.byTransaction.delete(transaction.hash);
      },
    });
    const help = 'Reads of blocks and receipts, from the cache and from the database';
    this.reads = metrics.counter('node_chain_reads_total', help, ['what', 'from']);
  }

  /** Caches the content of a new head, so that it need not be read back from the database. */
  remember(block: Block, receipts: readonly Receipt[]): void {
    this.cacheBlock(block);
    this.cacheReceipts(block.header.number, minedReceipts(block, receipts));
  }

  /**
   * @param assertHere - called with the number before the block is read: what it throws, this throws, and nothing is cached
   */
  async findBlock(
    reference: number | Hash,
    assertHere: (number: number) => void = () => undefined,
  ): Promise<Block | undefined> {
    const number = typeof reference === 'number' ? reference : await this.numberOf(reference);
    if (number === undefined) return undefined;
    assertHere(number);
    const cached = this.blocks.get(number);
    this.count('block', cached);
    if (cached !== undefined) return cached;
    const block = await this.readBlock(number);
    if (block !== undefined) this.cacheBlock(block);
    return block;
  }

  /**
   * The stored block, bypassing the caches.
   *
   * The block row is read first: a block is appended in one transaction, so a reader that sees that row sees all of it.
   * Reading both at once could find the row but not yet the transactions.
   */
  async readBlock(number: number): Promise<Block | undefined> {
    const { store, chainId } = this.options;
    const row = await store.findBlockByNumber(number);
    return row === undefined ? undefined : toBlock(row, await store.listTransactions(number), chainId);
  }

  /** Headers in ascending order, bypassing the caches; numbers are inclusive. */
  async listHeaders(from: number, to: number): Promise<SealedHeader[]> {
    return (await this.options.store.listBlocks(from, to)).map(toSealedHeader);
  }

  /** Cost: the rows of one transaction, not of its block. */
  async findTransaction(hash: Hash): Promise<MinedTransaction | undefined> {
    const cached = this.cachedReceipt(hash);
    if (cached !== undefined) return { transaction: cached.transaction, position: cached.position };
    const found = await this.readTransaction(hash);
    if (found === undefined) return undefined;
    const { row, block } = found;
    return { transaction: toTransaction(row, this.options.chainId), position: positionIn(block, row.index) };
  }

  /** Cost: the rows of one transaction, not of its block. */
  async findReceipt(hash: Hash): Promise<MinedReceipt | undefined> {
    const cached = this.cachedReceipt(hash);
    if (cached !== undefined) return cached;
    const found = await this.readTransaction(hash);
    if (found === undefined) return undefined;
    const { row, block } = found;
    const part = { first: row.firstLog, count: row.logCount };
    const logs = await this.options.store.listBlockLogs(row.blockNumber, part);
    return toReceipt(block, row, { transaction: toTransaction(row, this.options.chainId), logs });
  }

  async listReceipts(block: Block): Promise<readonly MinedReceipt[]> {
    const { number } = block.header;
    const cached = this.receipts.get(number);
    this.count('receipts', cached);
    if (cached !== undefined) return cached;
    const { store } = this.options;
    const [rows, logs] = await Promise.all([store.listTransactions(number), store.listBlockLogs(number)]);
    const receipts = toReceipts(block, rows, logs);
    this.cacheReceipts(number, receipts);
    return receipts;
  }

  /** Receipts at places anywhere in the chain, in their order; places without one are left out. Cost: the rows of these transactions. */
  async listReceiptsAt(places: readonly TransactionPlace[]): Promise<MinedReceipt[]> {
    const cached = places.map(({ number, index }) => this.receipts.get(number)?.[index]);
    const missing = places.filter((_, at) => cached[at] === undefined);
    const rows = await this.options.store.listAt(missing);
    const blocks = new Map(rows.blocks.map((row) => [row.number, toSealedHeader(row)]));
    const read = new Map<string, MinedReceipt>();
    for (const row of rows.transactions) {
      const block = blocks.get(row.blockNumber);
      if (block === undefined) continue;
      const transaction = toTransaction(row, this.options.chainId);
      const logs = rows.logs.filter(
        ({ blockNumber, transactionIndex }) =>
          blockNumber === row.blockNumber && transactionIndex === row.index,
      );
      read.set(placeName(row.blockNumber, row.index), toReceipt(block, row, { transaction, logs }));
    }
    return places.flatMap(({ number, index }, at) => cached[at] ?? read.get(placeName(number, index)) ?? []);
  }

  /** @throws LogDataError */
  async listLogs(filter: LogFilter, limit: number, maxDataBytes?: number): Promise<MinedLog[]> {
    const rows = await this.options.store.findLogs({ ...filter, limit, maxDataBytes });
    return rows.map((row) => ({
      log: { address: row.address, topics: row.topics, data: row.data },
      blockHash: row.blockHash,
      blockNumber: row.blockNumber,
      blockTimestamp: row.blockTimestamp,
      transactionHash: row.transactionHash,
      transactionIndex: row.transactionIndex,
      logIndex: row.index,
    }));
  }

  private async numberOf(hash: Hash): Promise<number | undefined> {
    return this.numbers.get(hash) ?? (await this.options.store.findBlockByHash(hash))?.number;
  }

  private cachedReceipt(hash: Hash): MinedReceipt | undefined {
    for (const number of this.unordered)
      for (const receipt of this.receipts.peek(number) ?? [])
        this.byTransaction.set(receipt.transaction.hash, receipt);
    this.unordered.clear();
    const found = this.byTransaction.get(hash);
    this.count('transaction', found);
    return found;
  }

  private async readTransaction(
    hash: Hash,
  ): Promise<{ row: StoredTransaction; block: SealedHeader } | undefined> {
    const { store } = this.options;
    const row = await store.findTransaction(hash);
    if (row === undefined) return undefined;
    const cached = this.blocks.get(row.blockNumber);
    if (cached !== undefined) return { row, block: cached };
    const block = await store.findBlockByNumber(row.blockNumber);
    return block === undefined ? undefined : { row, block: toSealedHeader(block) };
  }

  private cacheBlock(block: Block): void {
    this.blocks.set(block.header.number, block);
    this.numbers.set(block.hash, block.header.number);
  }

  private cacheReceipts(number: number, receipts: readonly MinedReceipt[]): void {
    this.receipts.set(number, receipts);
    this.unordered.add(number);
  }

  private count(what: 'block' | 'receipts' | 'transaction', cached: unknown): void {
    this.reads.increment({ what, from: cached === undefined ? 'database' : 'cache' });
  }
}

const placeName = (number: number, index: number) => `${number} ${index}`;

function weighBlock(block: Block): number {
  return block.transactions.reduce((sum, { raw }) => sum + weigh(raw.length), 4);
}

function weighReceipts(receipts: readonly MinedReceipt[]): number {
  return receipts.reduce(
    (sum, { receipt }) => sum + weigh(receipt.logs.reduce((bytes, { data }) => bytes + 200 + data.length, 0)),
    1,
  );
}

function weigh(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / ORDINARY_BYTES));
}
