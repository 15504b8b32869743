import { receiptRows, type Ledger } from '@tetrad/node-ledger';
import type { LedgerStore } from '@tetrad/node-store';
import { pause, type Clock, type Gauge, type Logger, type Metrics, type SealedHeader } from '@tetrad/types';
import { SourcePool, type SourcePoolOptions } from '../source-pool.js';
import { TargetLostError } from '../target-lost-error.js';
import type { DecodeTransaction, PastBlock } from './past-block.js';

export interface HistoryFillOptions {
  readonly ledger: Pick<Ledger, 'blockHorizon' | 'listHeaders' | 'executor' | 'secondsOf'>;
  readonly store: Pick<LedgerStore, 'stateSync'>;
  readonly peers: SourcePoolOptions['peers'];
  readonly decode: DecodeTransaction;
  /** The lowest block that is wanted, from 1. */
  readonly lowest: number;
  readonly isDatabaseUnavailable: (error: unknown) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Blocks of the first question to a peer, and of any. */
const FIRST_BLOCKS = 32;
const MAX_BLOCKS = 256;
/** Pause after peers gave nothing, or the database was away. */
const AGAIN_MS = 5_000;
/** A batch is followed by a pause as long as storing it took: new blocks go first. */
const MAX_PAUSE_MS = 1_000;
/** How often the log says how far it is, and that it does not get on. */
const REPORT_MS = 60_000;

/**
 * Fills in what is in the blocks before the one that was joined at: their transactions, receipts and logs, newest first, behind the
 * chain. Each batch is stored with the place to go on from.
 */
export class HistoryFill {
  private readonly ending = new AbortController();
  private readonly pool: SourcePool;
  private readonly oldest: Gauge;
  private blocksOfPart = FIRST_BLOCKS;
  private reportMs = 0;
  private running: Promise<void> = Promise.resolve();

  private constructor(private readonly options: HistoryFillOptions) {
    const { peers, clock, logger, metrics, lowest } = options;
    this.pool = new SourcePool({ peers, clock, logger, signal: this.ending.signal });
    this.oldest = metrics.gauge(
      'node_history_oldest_block',
      'The first block after block 0 that is here with its transactions, receipts and logs',
    );
    const wanted = 'The first block whose transactions, receipts and logs are to be filled in';
    metrics.gauge('node_history_wanted_block', wanted).set(lowest);
    this.oldest.set(options.ledger.blockHorizon.oldest);
  }

  static start(options: HistoryFillOptions): HistoryFill {
    const fill = new HistoryFill(options);
    fill.running = fill.run();
    return fill;
  }

  /** Ends after the batch that is being stored. */
  async close(): Promise<void> {
    this.ending.abort(new Error('the past is no longer filled in'));
    await this.running;
  }

  /** Resolves when nothing more is filled in. */
  get done(): Promise<void> {
    return this.running;
  }

  private async run(): Promise<void> {
    const { clock, logger, ledger, isDatabaseUnavailable } = this.options;
    const { signal } = this.ending;
    while (!signal.aborted) {
      try {
        if (!(await this.advance())) return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof TargetLostError) this.report('warn', 'no peer has the past before a block');
        else if (!isDatabaseUnavailable(error))
          logger.error('the past is not filled in further', { error, block: ledger.blockHorizon.oldest });
        await pause(clock, AGAIN_MS, signal);
      }
    }
  }

  /** @returns whether there may be more to do */
  private async advance(): Promise<boolean> {
    const { ledger, lowest, clock, logger } = this.options;
    const { oldest } = ledger.blockHorizon;
    const parts = oldest <= lowest ? [] : await this.next(oldest);
    if (parts.length === 0) {
      logger.info('the past is here', { fromBlock: oldest });
      return false;
    }
    const blocks = await this.fetch(parts);
    const began = clock.now();
    await this.write(blocks, oldest);
    this.report('info', 'filling in the past');
    await pause(clock, Math.min(clock.now() - began, MAX_PAUSE_MS), this.ending.signal);
    return true;
  }

  /** The headers of the blocks that are asked for next, newest first, one part for a peer. */
  private async next(oldest: number): Promise<SealedHeader[][]> {
    const { ledger, lowest } = this.options;
    const first = Math.max(lowest, oldest - this.blocksOfPart * this.pool.width);
    const headers = (await ledger.listHeaders(first, oldest - 1)).reverse();
    // Receipts from before Byzantium have state roots, which no node keeps.
    const early = headers.findIndex(({ header }) => {
      const at = { number: header.number, timestamp: ledger.secondsOf(header) };
      return !ledger.executor.rules(at).has('byzantium');
    });
    if (early !== -1) headers.length = early;
    const parts: SealedHeader[][] = [];
    for (let from = 0; from < headers.length; from += this.blocksOfPart)
      parts.push(headers.slice(from, from + this.blocksOfPart));
    return parts;
  }

  /** The consecutive blocks of what peers gave, newest first. */
  private async fetch(parts: readonly (readonly SealedHeader[])[]): Promise<readonly PastBlock[]> {
    const { decode } = this.options;
    const outcomes = await Promise.allSettled(
      parts.map((part) =>
        this.pool.run((part[0] as SealedHeader).header.number, (source) => source.past(part, decode)),
      ),
    );
    const blocks: PastBlock[] = [];
    let isWhole = true;
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') {
        // What comes after it is asked for again.
        if (blocks.length === 0) throw outcome.reason;
        break;
      }
      blocks.push(...outcome.value);
      isWhole = outcome.value.length === parts[index]?.length;
      this.blocksOfPart = isWhole ? this.blocksOfPart : Math.max(1, outcome.value.length);
      if (!isWhole) break;
    }
    if (isWhole) this.blocksOfPart = Math.min(MAX_BLOCKS, this.blocksOfPart * 2);
    return blocks;
  }

  private async write(blocks: readonly PastBlock[], before: number): Promise<void> {
    const { ledger, store } = this.options;
    const from = before - blocks.length;
    const rows = blocks.map(({ block, receipts }) => receiptRows(block, receipts));
    await store.stateSync.fill({
      from,
      before,
      transactions: rows.flatMap(({ transactions }) => transactions),
      logs: rows.flatMap(({ logs }) => logs),
    });
    ledger.blockHorizon.lowerTo(from);
    this.oldest.set(from);
  }

  private report(level: 'info' | 'warn', text: string): void {
    const { clock, logger, ledger, lowest } = this.options;
    if (clock.now() < this.reportMs) return;
    this.reportMs = clock.now() + REPORT_MS;
    logger[level](text, { block: ledger.blockHorizon.oldest, lowest });
  }
}
