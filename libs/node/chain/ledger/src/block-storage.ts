import { flatChanges } from '@tetrad/node-execution';
import type { JoinedRows, LedgerStore } from '@tetrad/node-store';
import type { Block } from '@tetrad/types';
import type { ExecutedBlock } from './block-execution.js';
import type { BlockPhases } from './block-phases.js';
import { toBlockWrite } from './block-rows.js';

/** Rows that a part of the node stores with a block. */
export type BlockJoin = (block: Block, executed: ExecutedBlock) => readonly JoinedRows[];

/** Values of a block's rows besides the block and its execution. */
export interface ChainRows {
  /** Total transactions of all blocks up to this one. */
  readonly totalTransactions: number;
  readonly ofConsensus: readonly JoinedRows[];
}

/** Stores the blocks above the head, each once and one after the other. */
export class BlockStorage {
  private readonly joins: BlockJoin[] = [];
  /** Whether the last write failed, which is possible even after the database has committed it. */
  private uncertain = false;
  private writing = false;
  /** The block that is being written; heads move one after the other. */
  private moving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: Pick<LedgerStore, 'appendBlock' | 'findHead'>,
    private readonly phases: Pick<BlockPhases, 'took'>,
  ) {}

  /** Whether a block is being stored. */
  isWriting(): boolean {
    return this.writing;
  }

  /** Stores the rows of a part with every block from now on; it is called again when a write is retried. */
  join(join: BlockJoin): void {
    this.joins.push(join);
  }

  /** Runs work that moves the head, after earlier such work; the result is that of the work, also when it throws. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.moving.then(work);
    this.moving = result.catch(() => undefined);
    return result;
  }

  /**
   * Stores the block on top of the head, unless an attempt that seemed to fail has done so.
   * @throws as the database does
   */
  async write(block: Block, executed: ExecutedBlock, chain: ChainRows): Promise<void> {
    const { receipts, changes } = executed;
    const { totalTransactions, ofConsensus } = chain;
    const flat = flatChanges(changes);
    const joined = [...ofConsensus, ...this.joins.flatMap((join) => join(block, executed))];
    const rows = toBlockWrite(block, { receipts, changes, totalTransactions, flat, joined });
    const started = performance.now();
    this.writing = true;
    try {
      if (!this.uncertain || !(await this.isStored(block))) {
        this.uncertain = true;
        await this.store.appendBlock(rows);
      }
    } finally {
      this.writing = false;
    }
    this.uncertain = false;
    this.phases.took('storage', performance.now() - started);
  }

  private async isStored({ hash }: Block): Promise<boolean> {
    return (await this.store.findHead())?.hash === hash;
  }
}
