import { EMPTY_ROOT, decodeHeader, encodeBareReceipt } from '@tetrad/node-block';
import type { LedgerStore, StoredBlock, StoredLog, StoredTransaction } from '@tetrad/node-store';
import { TimeSlices } from '@tetrad/types';
import type { BlockHorizon } from '../history/block-horizon.js';

/** Maximum number of blocks of one answer. */
const MAX_BLOCKS = 1_024;
/** Blocks whose rows are read at the same time. */
const BLOCKS_AT_ONCE = 16;
/** A block with its receipts that is larger is not given. Units: bytes */
const MAX_BYTES = 16 * 1024 * 1024;
/** What a log has besides its data, about. Units: bytes */
const LOG_BYTES = 160;

/** A block without its header. */
interface PastBlock {
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Uint8Array[];
}

const EMPTY: PastBlock = { transactions: [], receipts: [] };

/**
 * Transactions and receipts of blocks, as a node that did not execute them gets them. Nothing is put into caches, and private
 * receipts have tables of their own, which are never read here.
 *
 * Cost: bounded by the constants above and the byte budget; gives way to other work after each slice of time
 */
export class ServedPast {
  constructor(
    private readonly store: Pick<LedgerStore, 'listBlocks' | 'listTransactions' | 'listBlockLogs'>,
    private readonly horizon: Pick<BlockHorizon, 'isHeaderOnly'>,
  ) {}

  /** From a number on downwards, to block 1 at most; undefined where only the header is here. */
  async history({
    from,
    limit,
    byteBudget,
  }: {
    readonly from: number;
    readonly limit: number;
    readonly byteBudget: number;
  }): Promise<readonly (PastBlock | undefined)[]> {
    const blocks: (PastBlock | undefined)[] = [];
    const last = Math.max(1, from - Math.min(limit, MAX_BLOCKS) + 1);
    const slices = new TimeSlices();
    let bytes = 0;
    for (let next = from; next >= last && (next === from || bytes < byteBudget); next -= BLOCKS_AT_ONCE) {
      const rows = await this.store.listBlocks(Math.max(last, next - BLOCKS_AT_ONCE + 1), next);
      if (rows.at(-1)?.number !== next) break;
      for (const row of rows.reverse()) {
        const block = await this.read(row);
        bytes += block === undefined ? 0 : bytesOf(block);
        if (blocks.length > 0 && bytes > byteBudget) return blocks;
        blocks.push(block);
        if (slices.isOver()) await slices.pause();
      }
    }
    return blocks;
  }

  private async read({ number, header }: StoredBlock): Promise<PastBlock | undefined> {
    if (this.horizon.isHeaderOnly(number)) return undefined;
    if (decodeHeader(header).transactionsRoot === EMPTY_ROOT) return EMPTY;
    const rows = await this.store.listTransactions(number);
    const logs = await this.store.listBlockLogs(number);
    if (weigh(rows, logs) > MAX_BYTES) return undefined;
    return {
      transactions: rows.map(({ raw }) => raw),
      receipts: rows.map(({ status, cumulativeGasUsed, firstLog, logCount }) =>
        encodeBareReceipt({ status, cumulativeGasUsed, logs: logs.slice(firstLog, firstLog + logCount) }),
      ),
    };
  }
}

function weigh(rows: readonly StoredTransaction[], logs: readonly StoredLog[]): number {
  const ofRows = rows.reduce((sum, { raw }) => sum + raw.length, 0);
  return logs.reduce((sum, { data }) => sum + LOG_BYTES + data.length, ofRows);
}

function bytesOf({ transactions, receipts }: PastBlock): number {
  return [...transactions, ...receipts].reduce((sum, { length }) => sum + length, 0);
}
