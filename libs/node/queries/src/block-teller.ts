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

/** What subscribers hear of a block. */
export interface ToldBlock {
  readonly block: Block;
  readonly receipts: readonly MinedReceipt[];
  readonly logs: readonly MinedLog[];
}

/** Picks the receipts of a block that a subscription wants. In: hashes — of their transactions; none for all (as geth) */
export function receiptFilter(
  hashes: readonly Hash[] | null | undefined,
): (told: Pick<ToldBlock, 'receipts'>) => readonly MinedReceipt[] {
  if (hashes === undefined || hashes === null || hashes.length === 0) return ({ receipts }) => receipts;
  const wanted = new Set(hashes);
  return ({ receipts }) => receipts.filter(({ transaction }) => wanted.has(transaction.hash));
}

/** The chain, as it tells of its blocks. */
export interface BlockSource extends BlockView {
  onBlock(listener: (block: Block, receipts: readonly Receipt[]) => void): unknown;
}

/** Receipts as clients of this node see them. */
export interface ReceiptView {
  /** Whether the block may have done something to private state. */
  hasPrivateWork(block: Block): boolean;
  list(block: Block): Promise<readonly MinedReceipt[]>;
  /** Logs of private transactions. */
  listLogs(block: Block): Promise<readonly MinedLog[]>;
  /** The receipt, which says so if it is of a marker. */
  withMark(mined: MinedReceipt): MinedReceipt;
}

export interface BlockTellerParts {
  readonly ledger: BlockSource;
  readonly receipts: ReceiptView;
  /** Absent on a node without private state. */
  readonly privateState: Pick<PrivateView, 'isAt' | 'reaches'> | undefined;
  /** Tells when private state has followed a block; absent like that. */
  readonly follower: { onFollowed(listener: (blockNumber: number) => void): unknown } | undefined;
  readonly logger: Pick<Logger, 'error'>;
}

/** Blocks whose private part is told once it is known; what happened before is forgotten. */
const MOST_OWED = 100_000;

/**
 * Tells of blocks with what private transactions did in them, in the order of the chain.
 *
 * It waits a bounded time for private state. What is public is told then, and what is private as soon as private state
 * gets there, so that nothing is lost by a pause.
 */
export class BlockTeller {
  private readonly listeners: Listeners<(told: ToldBlock) => void>;
  private count = 0;
  /** Blocks of which only the public part was told. */
  private readonly owed = new Set<number>();
  /** What is being told. */
  private tail: Promise<void> = Promise.resolve();

  constructor(private readonly parts: BlockTellerParts) {
    const { ledger, logger, follower } = parts;
    this.listeners = new Listeners((error) => logger.error('a subscription failed', { error }));
    ledger.onBlock((block, receipts) => this.hear(block, receipts));
    follower?.onFollowed((number) => {
      if (this.owed.delete(number)) this.queue(() => this.tellOwed(number));
    });
  }

  /** Calls the listener for each block above the head; the result ends that. */
  onBlock(listener: (told: ToldBlock) => void): () => void {
    const head = this.parts.ledger.head().header.number;
    const remove = this.listeners.add((told) => {
      if (told.block.header.number > head) listener(told);
    });
    this.count++;
    return () => {
      remove();
      this.count--;
    };
  }

  private hear(block: Block, receipts: readonly Receipt[]): void {
    if (this.count === 0) return;
    if (this.parts.privateState === undefined) this.tell(this.publicPart(block, receipts));
    else this.queue(() => this.tellInTurn(block, receipts));
  }

  private queue(work: () => Promise<void>): void {
    this.tail = this.tail
      .then(work)
      .catch((error: unknown) => this.parts.logger.error('a block could not be told of', { error }));
  }

  private async tellInTurn(block: Block, receipts: readonly Receipt[]): Promise<void> {
    const { receipts: own } = this.parts;
    const seen = this.publicPart(block, receipts);
    if (!own.hasPrivateWork(block)) return this.tell(seen);
    const isKnown =
      (await this.isKnown(block)) || this.parts.privateState?.isAt(block.header.number) === true;
    if (isKnown) {
      const logs = [...seen.logs, ...(await own.listLogs(block))];
      return this.tell({ block, receipts: await own.list(block), logs });
    }
    this.owe(block.header.number);
    const known = seen.receipts.filter(({ transaction }) => !isPrivateTransaction(transaction));
    return this.tell({ ...seen, receipts: known });
  }

  /** Who waits in vain for one block does not wait for the next ones too. */
  private async isKnown({ header: { number } }: Block): Promise<boolean> {
    const { privateState } = this.parts;
    if (privateState === undefined) return false;
    return this.owed.size > 0 ? privateState.isAt(number) : privateState.reaches(number);
  }

  private owe(blockNumber: number): void {
    this.owed.add(blockNumber);
    const [oldest] = this.owed;
    if (this.owed.size > MOST_OWED && oldest !== undefined) this.owed.delete(oldest);
  }

  private async tellOwed(blockNumber: number): Promise<void> {
    const { ledger, receipts } = this.parts;
    const block = this.count === 0 ? undefined : await ledger.findBlock(blockNumber);
    if (block === undefined) return;
    const own = (await receipts.list(block)).filter(({ transaction }) => isPrivateTransaction(transaction));
    this.tell({ block, receipts: own, logs: await receipts.listLogs(block) });
  }

  private publicPart(block: Block, receipts: readonly Receipt[]): ToldBlock {
    const mined = minedReceipts(block, receipts).map((one) => this.parts.receipts.withMark(one));
    return { block, receipts: mined, logs: minedLogs(block, receipts) };
  }

  private tell(told: ToldBlock): void {
    this.listeners.emit((listener) => listener(told));
  }
}
