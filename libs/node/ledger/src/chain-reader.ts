import type { LedgerStore } from '@tetrad/node-store';
import type {
  Block,
  Hash,
  LogFilter,
  MinedLog,
  MinedReceipt,
  MinedTransaction,
  Receipt,
} from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { positionIn, toBlock, toReceipts } from './block-rows.js';

/** Blocks and receipts from the store, the newest of them from memory. */
export class ChainReader {
  /** Weighed by transactions, so that full blocks do not fill the memory. */
  private readonly blocks: LRUCache<number, Block>;
  private readonly receipts: LRUCache<number, readonly MinedReceipt[]>;
  private readonly numbers = new Map<Hash, number>();
  /** Transactions of cached receipts → block. */
  private readonly places = new Map<Hash, number>();

  constructor(private readonly options: { store: LedgerStore; chainId: bigint; limit: number }) {
    const maxSize = options.limit;
    this.blocks = new LRUCache({
      maxSize,
      sizeCalculation: (block) => Math.min(block.transactions.length + 4, maxSize),
      dispose: (block) => this.numbers.delete(block.hash),
    });
    this.receipts = new LRUCache({
      maxSize,
      sizeCalculation: (receipts) => Math.min(receipts.length + 1, maxSize),
      dispose: (receipts) => receipts.forEach(({ transaction }) => this.places.delete(transaction.hash)),
    });
  }

  /** Takes a new head's content, which nobody needs to read back from the database. */
  remember(block: Block, receipts: readonly Receipt[]): void {
    this.cacheBlock(block);
    let firstLogIndex = 0;
    const mined = receipts.map((receipt, index): MinedReceipt => {
      const transaction = block.transactions[index] as Block['transactions'][number];
      const one = { transaction, position: positionIn(block, index), receipt, firstLogIndex };
      firstLogIndex += receipt.logs.length;
      return one;
    });
    this.cacheReceipts(block.header.number, mined);
  }

  async findBlock(reference: number | Hash): Promise<Block | undefined> {
    const number = typeof reference === 'number' ? reference : await this.numberOf(reference);
    if (number === undefined) return undefined;
    const cached = this.blocks.get(number);
    if (cached !== undefined) return cached;
    const block = await this.readBlock(number);
    if (block !== undefined) this.cacheBlock(block);
    return block;
  }

  /** The block as it is stored, past the caches. */
  async readBlock(number: number): Promise<Block | undefined> {
    const { store, chainId } = this.options;
    const [row, transactions] = await Promise.all([
      store.findBlockByNumber(number),
      store.listTransactions(number),
    ]);
    return row === undefined ? undefined : toBlock(row, transactions, chainId);
  }

  async findTransaction(hash: Hash): Promise<MinedTransaction | undefined> {
    const place = await this.placeOf(hash);
    const block = place === undefined ? undefined : await this.findBlock(place);
    if (block === undefined) return undefined;
    const index = block.transactions.findIndex((transaction) => transaction.hash === hash);
    const transaction = block.transactions[index];
    return transaction === undefined ? undefined : { transaction, position: positionIn(block, index) };
  }

  async findReceipt(hash: Hash): Promise<MinedReceipt | undefined> {
    const place = await this.placeOf(hash);
    const block = place === undefined ? undefined : await this.findBlock(place);
    if (block === undefined) return undefined;
    const receipts = await this.listReceipts(block);
    return receipts.find(({ transaction }) => transaction.hash === hash);
  }

  async listReceipts(block: Block): Promise<readonly MinedReceipt[]> {
    const { number } = block.header;
    const cached = this.receipts.get(number);
    if (cached !== undefined) return cached;
    const { store } = this.options;
    const [rows, logs] = await Promise.all([store.listTransactions(number), store.listBlockLogs(number)]);
    const receipts = toReceipts(block, rows, logs);
    this.cacheReceipts(number, receipts);
    return receipts;
  }

  async listLogs(filter: LogFilter, limit: number): Promise<MinedLog[]> {
    const rows = await this.options.store.findLogs({ ...filter, limit });
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

  private async placeOf(hash: Hash): Promise<number | undefined> {
    return this.places.get(hash) ?? (await this.options.store.findTransaction(hash))?.blockNumber;
  }

  private cacheBlock(block: Block): void {
    this.blocks.set(block.header.number, block);
    this.numbers.set(block.hash, block.header.number);
  }

  private cacheReceipts(number: number, receipts: readonly MinedReceipt[]): void {
    this.receipts.set(number, receipts);
    for (const { transaction } of receipts) this.places.set(transaction.hash, number);
  }
}
