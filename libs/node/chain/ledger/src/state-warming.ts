import type { TransactionPool } from '@tetrad/node-pool';
import type { Address, Counter, Logger, Metrics, SignedTransaction } from '@tetrad/types';
import type { Ledger } from './ledger.js';
import { pendingContext, type GrowingChain } from './pending-state.js';

/** Limits on transactions that wait to be tried; further ones are not tried. */
const MAX_WAITING = 256;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Turns of the event loop in one try: a million gas, or as many slices of precompiles. */
const MAX_TURNS = 10;

/** Time of all tries on one head, on the main thread and the database. Units: ms */
const BUDGET_MS = 150;

/** After so many tries in a row that found everything in memory, only one transaction in SAMPLE is tried. */
const WARM_STREAK = 32;
const SAMPLE = 16;

export interface StateWarmingOptions {
  readonly ledger: GrowingChain & Pick<Ledger, 'executor' | 'head' | 'worldAt' | 'isStoring' | 'onBlock'>;
  readonly pool: Pick<TransactionPool, 'onTransaction' | 'find'>;
  /** Shown as the proposer of the tried block. */
  readonly proposer: Address;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Tries transactions on the head when the pool has accepted them, so that the block that executes them finds accounts,
 * slots, codes and trie nodes in memory.
 *
 * Nothing waits for a try, and only the filled caches remain of it. Tries run one at a time, each in a separate world,
 * within bounds of gas and of time, and not while a block is being stored.
 */
export class StateWarming {
  private readonly waiting: SignedTransaction[] = [];
  private readonly leave: readonly (() => void)[];
  private readonly tries: Counter;
  private waitingBytes = 0;
  private spentMs = 0;
  private streak = 0;
  private passed = 0;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: StateWarmingOptions) {
    const { ledger, pool, metrics } = options;
    this.tries = metrics.counter(
      'node_state_warming_tries_total',
      'Pool transactions that were tried on the head, by whether everything was in memory',
      ['found'],
    );
    this.leave = [
      pool.onTransaction((transaction) => this.offer(transaction)),
      ledger.onBlock(() => this.renew()),
    ];
  }

  /** Resolves once all tries that are possible now have ended. */
  async idle(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  /** Accepts no more, and waits for the running try. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const leave of this.leave) leave();
    await this.idle();
  }

  private offer(transaction: SignedTransaction): void {
    const { length } = transaction.raw;
    if (this.streak >= WARM_STREAK && ++this.passed % SAMPLE !== 0) return;
    if (this.waiting.length >= MAX_WAITING || this.waitingBytes + length > MAX_WAITING_BYTES) return;
    this.waiting.push(transaction);
    this.waitingBytes += length;
    this.wake();
  }

  private renew(): void {
    this.spentMs = 0;
    this.wake();
  }

  private wake(): void {
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    for (;;) {
      // The submitter gets its answer first.
      await new Promise((turn) => setImmediate(turn));
      const mayGoOn = !this.stopped && this.spentMs < BUDGET_MS && !this.options.ledger.isStoring();
      const next = mayGoOn ? this.waiting.shift() : undefined;
      if (next === undefined) return;
      this.waitingBytes -= next.raw.length;
      if (this.options.pool.find(next.hash) === undefined) continue;
      const started = performance.now();
      await this.attempt(next);
      this.spentMs += performance.now() - started;
    }
  }

  private async attempt(transaction: SignedTransaction): Promise<void> {
    try {
      const fetches = await this.execute(transaction);
      this.streak = fetches === 0 ? this.streak + 1 : 0;
      this.tries.increment({ found: fetches === 0 ? 'all' : 'some' });
    } catch (error) {
      // The block builder runs into the same failure, and checks it.
      this.options.logger.debug('a transaction could not be tried', { hash: transaction.hash, error });
    }
  }

  /** @returns how often the execution had to wait for data that was not in memory */
  private async execute(transaction: SignedTransaction): Promise<number> {
    const { ledger, proposer } = this.options;
    const head = ledger.head();
    const world = await ledger.worldAt(head);
    const { journal } = world.evm;
    const pace = this.paceOfTry();
    try {
      const block = pendingContext(ledger, head, proposer);
      await ledger.executor.executeTransaction(block, transaction, world, { isSimulation: true, ...pace });
    } catch (error) {
      if (!pace.signal.aborted) throw error;
    }
    const { fetches } = journal;
    // The nodes on the paths of what it changes are read when the block is hashed.
    if (fetches > 0 && !pace.signal.aborted) await world.commitBlock();
    return fetches;
  }

  private paceOfTry(): { readonly signal: AbortSignal; readonly giveWay: () => Promise<void> } {
    const controller = new AbortController();
    let turns = 0;
    return {
      signal: controller.signal,
      giveWay: async () => {
        await new Promise((turn) => setImmediate(turn));
        if (++turns >= MAX_TURNS || this.stopped) controller.abort();
      },
    };
  }
}
