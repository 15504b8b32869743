import { Listeners, type Block, type Gauge, type Logger, type Metrics, type Receipt } from '@tetrad/types';
import type { ConsensusRules } from './consensus-rules.js';

export type BlockListener = (block: Block, receipts: readonly Receipt[]) => void;

interface ChainHeadOptions {
  readonly rules: Pick<ConsensusRules, 'timeMsOf'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The newest block, with the metrics and the listeners that follow it. */
export class ChainHead {
  private readonly listeners: Listeners<BlockListener>;
  private readonly numberGauge: Gauge;
  private readonly timeGauge: Gauge;

  constructor(
    private newest: Block,
    private transactions: number,
    private readonly options: ChainHeadOptions,
  ) {
    const { logger, metrics } = options;
    this.listeners = new Listeners((error) => logger.error('a listener of the chain failed', { error }));
    this.numberGauge = metrics.gauge('node_head_block_number', 'Number of the newest block');
    this.timeGauge = metrics.gauge(
      'node_head_block_timestamp_seconds',
      'Unix time in the header of the newest block',
    );
    this.show();
  }

  get block(): Block {
    return this.newest;
  }

  /** Transactions of all blocks up to the head. */
  get totalTransactions(): number {
    return this.transactions;
  }

  /** Moves to the next block, after it was stored, and calls the listeners. */
  moveTo(block: Block, receipts: readonly Receipt[]): void {
    this.transactions += block.transactions.length;
    this.newest = block;
    this.show();
    this.listeners.emit((listener) => listener(block, receipts));
  }

  /** Calls the listener after each move; the result removes it. */
  onMove(listener: BlockListener): () => void {
    return this.listeners.add(listener);
  }

  private show(): void {
    const { header } = this.newest;
    this.numberGauge.set(header.number);
    this.timeGauge.set(this.options.rules.timeMsOf(header) / 1_000);
  }
}
