import { minedLogs, minedReceipts } from '@tetrad/node-ledger';
import { isPrivateTransaction } from '@tetrad/node-execution';
import {
  Listeners,
  type Block,
  type Hash,
  type Logger,
  type MinedLog,
  type MinedReceipt,
  type Receipt,
} from '@tetrad/types';
import type { BlockView, PrivateView } from './chain-view.js';

/** The notification of a block. */
export interface NotifiedBlock {
  readonly block: Block;
  readonly receipts: readonly MinedReceipt[];
  readonly logs: readonly MinedLog[];
}

/**
 * Picks the receipts of a block that a subscription wants.
 * @param hashes - of their transactions; none for all (as geth)
 */
export function receiptFilter(
  hashes: readonly Hash[] | null | undefined,
): (notification: Pick<NotifiedBlock, 'receipts'>) => readonly MinedReceipt[] {
  if (hashes === undefined || hashes === null || hashes.length === 0) return ({ receipts }) => receipts;
  const wanted = new Set(hashes);
  return ({ receipts }) => receipts.filter(({ transaction }) => wanted.has(transaction.hash));
}

/** The chain as a source of new blocks. */
export interface BlockSource extends BlockView {
  onBlock(listener: (block: Block, receipts: readonly Receipt[]) => void): unknown;
}

/** Receipts as clients of this node see them. */
export interface ReceiptView {
  /** Whether the block may have changed private state. */
  hasPrivateWork(block: Block): boolean;
  list(block: Block): Promise<readonly MinedReceipt[]>;
  /** Logs of private transactions. */
  listLogs(block: Block): Promise<readonly MinedLog[]>;
  /** The receipt, flagged if it is of a marker. */
  withMark(mined: MinedReceipt): MinedReceipt;
}

export interface BlockNotifierParts {
  readonly ledger: BlockSource;
  readonly receipts: ReceiptView;
  /** Absent on a node without private state. */
  readonly privateState: Pick<PrivateView, 'isAt' | 'reaches'> | undefined;
  /** Called when private state has followed a block; absent likewise. */
  readonly follower: { onFollowed(listener: (blockNumber: number) => void): unknown } | undefined;
  readonly logger: Pick<Logger, 'error'>;
}

/** Blocks whose private part is sent once it is known; older ones are dropped. */
const MAX_OWED = 100_000;

/**
 * Notifies subscribers of blocks, with the effects of private transactions, in the order of the chain.
 *
 * It waits a bounded time for private state. After that it sends the public part, and the private part once private
 * state reaches the block, so that a pause loses nothing.
 */
export class BlockNotifier {
  private readonly listeners: Listeners<(notification: NotifiedBlock) => void>;
  private count = 0;
  /** Blocks of which only the public part was sent. */
  private readonly owed = new Set<number>();
  /** Pending notifications, in order. */
  private tail: Promise<void> = Promise.resolve();

  constructor(private readonly parts: BlockNotifierParts) {
    const { ledger, logger, follower } = parts;
    this.listeners = new Listeners((error) => logger.error('a subscription failed', { error }));
    ledger.onBlock((block, receipts) => this.hear(block, receipts));
    follower?.onFollowed((number) => {
      if (this.owed.delete(number)) this.queue(() => this.notifyOwed(number));
    });
  }

  /** Calls the listener for each block above the head; the result removes it. */
  onBlock(listener: (notification: NotifiedBlock) => void): () => void {
    const head = this.parts.ledger.head().header.number;
    const remove = this.listeners.add((notification) => {
      if (notification.block.header.number > head) listener(notification);
    });
    this.count++;
    return () => {
      remove();
      this.count--;
    };
  }

  private hear(block: Block, receipts: readonly Receipt[]): void {
    if (this.count === 0) return;
    if (this.parts.privateState === undefined) this.notify(this.publicPart(block, receipts));
    else this.queue(() => this.notifyInOrder(block, receipts));
  }

  private queue(work: () => Promise<void>): void {
    this.tail = this.tail
      .then(work)
      .catch((error: unknown) => this.parts.logger.error('a block could not be announced', { error }));
  }

  private async notifyInOrder(block: Block, receipts: readonly Receipt[]): Promise<void> {
    const { receipts: own } = this.parts;
    const seen = this.publicPart(block, receipts);
    if (!own.hasPrivateWork(block)) return this.notify(seen);
    const isKnown =
      (await this.isKnown(block)) || this.parts.privateState?.isAt(block.header.number) === true;
    if (isKnown) {
      const logs = [...seen.logs, ...(await own.listLogs(block))];
      return this.notify({ block, receipts: await own.list(block), logs });
    }
    this.owe(block.header.number);
    const known = seen.receipts.filter(({ transaction }) => !isPrivateTransaction(transaction));
    return this.notify({ ...seen, receipts: known });
  }

  /** After a failed wait, later blocks do not wait. */
  private async isKnown({ header: { number } }: Block): Promise<boolean> {
    const { privateState } = this.parts;
    if (privateState === undefined) return false;
    return this.owed.size > 0 ? privateState.isAt(number) : privateState.reaches(number);
  }

  private owe(blockNumber: number): void {
    this.owed.add(blockNumber);
    const [oldest] = this.owed;
    if (this.owed.size > MAX_OWED && oldest !== undefined) this.owed.delete(oldest);
  }

  private async notifyOwed(blockNumber: number): Promise<void> {
    const { ledger, receipts } = this.parts;
    const block = this.count === 0 ? undefined : await ledger.findBlock(blockNumber);
    if (block === undefined) return;
    const own = (await receipts.list(block)).filter(({ transaction }) => isPrivateTransaction(transaction));
    this.notify({ block, receipts: own, logs: await receipts.listLogs(block) });
  }

  private publicPart(block: Block, receipts: readonly Receipt[]): NotifiedBlock {
    const mined = minedReceipts(block, receipts).map((one) => this.parts.receipts.withMark(one));
    return { block, receipts: mined, logs: minedLogs(block, receipts) };
  }

  private notify(notification: NotifiedBlock): void {
    this.listeners.emit((listener) => listener(notification));
  }
}
