import { setTimeout as pause } from 'node:timers/promises';
import { StateWalk } from '@tetrad/node-execution';
import type { LedgerStore, StateEpoch, StateHistory } from '@tetrad/node-store';
import type { Counter, Gauge, Logger, Metrics } from '@tetrad/types';
import type { Ledger } from '../ledger.js';

export interface StatePruningOptions {
  readonly ledger: Pick<Ledger, 'head' | 'horizon' | 'onBlock'>;
  readonly store: Pick<LedgerStore['history'], 'find' | 'begin' | 'gather' | 'retire' | 'sizes'>;
  /** Whether private state follows the chain here. */
  readonly hasPrivateState: boolean;
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Trie nodes that are copied in one transaction. */
  readonly nodesOfStep?: number;
}

const NODES_OF_STEP = 256;
/** A step is followed by a pause of so many times its duration: blocks go first. */
const PAUSES = 4;

/**
 * Removes the states of old blocks, in epochs (docs/adr/0174).
 *
 * An epoch begins at the head: the nodes of later blocks go to the other table, and what the head's state consists of is
 * copied there, in steps. Once no older state must be kept, the table of before is emptied.
 *
 * It works after blocks that this process has stored: another process, which has lost the database, can then store none.
 */
export class StatePruning {
  private running: Promise<void> | undefined;
  private readonly ending = new AbortController();
  private unsubscribe: () => void = () => undefined;
  /** Of the epoch that is gathered. */
  private walk: StateWalk | undefined;
  private readonly gathered: Counter;
  private readonly bytes: Gauge;
  private readonly oldest: Gauge;

  private constructor(private readonly options: StatePruningOptions) {
    const { metrics } = options;
    this.gathered = metrics.counter(
      'node_state_nodes_gathered_total',
      'Trie nodes of the newest state that were copied, so that older ones can be removed',
    );
    this.bytes = metrics.gauge(
      'node_state_table_bytes',
      'Bytes of trie nodes in the database: in the table for new ones, and in the one that is emptied next',
      ['table'],
    );
    this.oldest = metrics.gauge('node_state_oldest_block', 'Oldest block whose state can be read');
  }

  /** Starts after the next block. */
  static start(options: StatePruningOptions): StatePruning {
    const pruning = new StatePruning(options);
    pruning.unsubscribe = options.ledger.onBlock(() => pruning.wake());
    return pruning;
  }

  /** Ends after the step that runs. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.ending.abort();
    await this.running;
  }

  /** Resolves when there is nothing more to do before the next block. */
  async settled(): Promise<void> {
    await this.running;
  }

  private wake(): void {
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    try {
      while (!this.ending.signal.aborted && (await this.advance()));
      await this.report();
    } catch (error) {
      this.walk = undefined;
      if (this.options.isDatabaseUnavailable(error)) return;
      // What is stored stays readable; the disk fills.
      this.options.logger.error('old states cannot be removed until the next start', { error });
      this.unsubscribe();
    }
  }

  /**
   * The next step.
   * @returns whether there may be another one before the next block
   */
  private async advance(): Promise<boolean> {
    const { store } = this.options;
    const history = await store.find();
    const epoch = history?.epoch;
    if (epoch === undefined) return this.begin(history);
    if (epoch.isGathered) return this.retire(epoch);
    await this.gather(epoch);
    return true;
  }

  /** Unless the table would be copied before as much as was copied last was written to it. */
  private async begin(history: StateHistory | undefined): Promise<boolean> {
    const { store } = this.options;
    const { currentRows } = await store.sizes();
    if (history !== undefined && currentRows < 2 * history.gatheredBytes) return false;
    await store.begin();
    this.walk = undefined;
    return true;
  }

  private async gather({ stateRoot, cursor }: StateEpoch): Promise<void> {
    const began = performance.now();
    const walk = (this.walk ??= new StateWalk(stateRoot, cursor));
    const hashes = walk.next(this.options.nodesOfStep ?? NODES_OF_STEP);
    await this.options.store.gather(hashes, (nodes) => {
      walk.take(nodes);
      return walk.cursor;
    });
    this.gathered.increment(undefined, hashes.length);
    const pausing = PAUSES * (performance.now() - began);
    await pause(pausing, undefined, { signal: this.ending.signal }).catch(() => undefined);
  }

  private async retire({ block }: StateEpoch): Promise<boolean> {
    const { ledger, store, hasPrivateState, logger } = this.options;
    const { blocks = 0 } = ledger.horizon;
    if (!(await store.retire({ blocks, hasPrivateState }))) return false;
    ledger.horizon.moveTo(block);
    logger.info('removed the states of old blocks', { oldestBlock: block });
    return true;
  }

  private async report(): Promise<void> {
    const { ledger, store } = this.options;
    const { current, other } = await store.sizes();
    this.bytes.set(current, { table: 'current' });
    this.bytes.set(other, { table: 'next' });
    this.oldest.set(ledger.horizon.oldestAt(ledger.head().header.number));
  }
}
