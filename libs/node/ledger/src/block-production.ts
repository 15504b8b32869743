import { hashHeader, DIFFICULTY, EMPTY_OMMERS_HASH, ISTANBUL_MIX_HASH } from '@tetrad/node-consensus-bft';
import { InvalidTransactionError, type WorldState } from '@tetrad/node-execution';
import { addressFromPrivateKey } from '@tetrad/crypto';
import type { Address, Block, BlockHeader, Clock, Logger, Metrics } from '@tetrad/types';
import type { BlockExecution, ExecutedBlock } from './block-execution.js';
import { forkFields } from './header-fields.js';
import type { Ledger } from './ledger.js';
import type { Selection } from './selection.js';
import type { TransactionPool } from './transaction-pool.js';

export interface BlockProductionOptions {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  /** Signs as the chain's only validator. */
  readonly privateKey: Uint8Array;
  readonly blockPeriodMs: number;
  /** Least time before an empty block; 0 means the block period. */
  readonly emptyBlockPeriodMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether the error means that the database is away and the same work may be tried again. */
  readonly isDatabaseAway: (error: unknown) => boolean;
  /** After a lost connection: whether the block was stored all the same. */
  readonly isStored: (block: Block) => Promise<boolean>;
}

export interface BlockProduction {
  /** Why no blocks are produced at the moment; undefined when all is well. */
  trouble(): string | undefined;
  /** The state of the block in the making, to read or to try things in. */
  pendingWorld(): Promise<WorldState>;
  /** Resolves when no block is in the making any more. */
  stop(): Promise<void>;
}

/** The key belongs to no validator of the chain, or the chain has more than one. */
export class NotTheValidatorError extends Error {
  override readonly name = 'NotTheValidatorError';
}

/** Execution yields to the event loop after this long, so that requests are answered meanwhile. */
const SLICE_MS = 8;
const RETRY_MS = 500;
const MS = 1000;

/** Produces blocks as the chain's only validator. Fails: NotTheValidatorError. */
export function startBlockProduction(options: BlockProductionOptions): BlockProduction {
  const proposer = addressFromPrivateKey(options.privateKey);
  const validators = options.ledger.validators();
  if (validators.length !== 1 || validators[0] !== proposer) {
    throw new NotTheValidatorError(
      `this node's address is ${proposer}, the chain's validators are ${validators.join(', ') || 'none'}`,
    );
  }
  const producer = new Producer(options, proposer);
  const finished = producer.run();
  return {
    trouble: () => producer.trouble,
    pendingWorld: () => producer.pendingWorld(),
    async stop() {
      producer.stop();
      await finished;
    },
  };
}

class Producer implements Pick<BlockProduction, 'pendingWorld'> {
  trouble: string | undefined;
  private stopped = false;
  private execution: BlockExecution | undefined;
  /** The transaction that is being executed; a world is only whole between two of them. */
  private running: Promise<unknown> = Promise.resolve();
  private wake: () => void = () => undefined;
  /** When the last block was sealed, in milliseconds; periods under a second need it. */
  private lastSealedMs = 0;

  constructor(
    private readonly options: BlockProductionOptions,
    private readonly proposer: Address,
  ) {}

  stop(): void {
    this.stopped = true;
    this.wake();
  }

  async pendingWorld(): Promise<WorldState> {
    await this.running;
    const { ledger } = this.options;
    return this.execution?.world.copy() ?? ledger.worldAt(ledger.head());
  }

  async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.produceBlock();
        this.trouble = undefined;
      } catch (error) {
        this.execution = undefined;
        this.report(error);
        await this.sleep(RETRY_MS);
      }
    }
  }

  private async produceBlock(): Promise<void> {
    const { pool, ledger, metrics } = this.options;
    const sealAtMs = this.sealTime(this.options.blockPeriodMs);
    const { selection, release } = pool.select();
    const forget = pool.onTransaction(() => this.wake());
    try {
      let execution = await this.begin(sealAtMs);
      await this.fill(execution, selection, sealAtMs);
      if (
        execution.transactions.length === 0 &&
        this.options.emptyBlockPeriodMs > this.options.blockPeriodMs
      ) {
        execution = await this.waitForTransaction(selection);
      }
      if (this.stopped && execution.transactions.length === 0) return;
      const started = performance.now();
      const executed = await execution.finish();
      const block = this.seal(execution, executed);
      const hashed = performance.now();
      await this.store(block, executed);
      this.lastSealedMs = sealAtMs;
      this.execution = undefined;
      const phase = metrics.histogram(
        'node_block_phase_seconds',
        'Time a block takes, by phase',
        ['phase'],
        BUCKETS,
      );
      phase.observe((hashed - started) / MS, { phase: 'hashing' });
      phase.observe((performance.now() - hashed) / MS, { phase: 'storage' });
    } finally {
      forget();
      release();
    }
    metrics.counter('node_blocks_produced_total', 'Blocks this node proposed').increment();
    metrics
      .counter('node_transactions_mined_total', 'Transactions in them')
      .increment({}, ledger.head().transactions.length);
  }

  /** When the next block may be sealed: a period after its parent, and never in the past. */
  private sealTime(periodMs: number): number {
    const now = this.options.clock.now();
    const parentMs = this.options.ledger.head().header.timestamp * MS;
    const earliest =
      periodMs % MS === 0 ? parentMs + periodMs : Math.max(parentMs, this.lastSealedMs + periodMs);
    return Math.max(now, earliest);
  }

  private async begin(sealAtMs: number): Promise<BlockExecution> {
    const { ledger } = this.options;
    const head = ledger.head();
    const number = head.header.number + 1;
    const timestamp = Math.floor(sealAtMs / MS);
    const { baseFeePerGas } = forkFields(ledger.executor.rules({ number, timestamp }));
    const context = ledger.contextFor({
      number,
      timestamp,
      proposer: this.proposer,
      gasLimit: head.header.gasLimit,
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
      difficulty: DIFFICULTY,
      mixHash: ISTANBUL_MIX_HASH,
    });
    this.execution = ledger.execute(context, await ledger.worldAt(head));
    return this.execution;
  }

  /** Executes transactions as they come until the block is to be sealed; a full pool gets at least one slice. */
  private async fill(execution: BlockExecution, selection: Selection, sealAtMs: number): Promise<void> {
    const { clock } = this.options;
    let sliceEnd = performance.now() + SLICE_MS;
    let executionMs = 0;
    while (!this.stopped) {
      const entry = execution.gasLeft < 21_000n ? undefined : selection.next();
      const late = clock.now() >= sealAtMs;
      if (entry === undefined) {
        if (late) break;
        await this.sleep(sealAtMs - clock.now());
        sliceEnd = performance.now() + SLICE_MS;
        continue;
      }
      const started = performance.now();
      await this.execute(execution, selection, entry);
      executionMs += performance.now() - started;
      if (performance.now() < sliceEnd) continue;
      if (late) break;
      await new Promise((turn) => setImmediate(turn));
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.options.metrics
      .histogram('node_block_phase_seconds', 'Time a block takes, by phase', ['phase'], BUCKETS)
      .observe(executionMs / MS, { phase: 'execution' });
  }

  private async execute(
    execution: BlockExecution,
    selection: Selection,
    entry: NonNullable<ReturnType<Selection['next']>>,
  ): Promise<void> {
    const attempt = execution.add(entry.transaction);
    this.running = attempt.catch(() => undefined);
    try {
      await attempt;
      selection.accept(entry);
    } catch (error) {
      if (!(error instanceof InvalidTransactionError)) throw error;
      // Too large for what is left of this block, or waiting for another: it stays for the next one.
      if (error.reason === 'GAS_LIMIT_EXCEEDED' || error.reason === 'NONCE_TOO_HIGH') return;
      await this.options.pool.discard(entry, error.message);
    }
  }

  /** Puts an empty block off until there is a transaction or the longer period is over. */
  private async waitForTransaction(selection: Selection): Promise<BlockExecution> {
    const deadline = this.sealTime(this.options.emptyBlockPeriodMs);
    while (!this.stopped && this.options.pool.size === 0 && this.options.clock.now() < deadline) {
      await this.sleep(deadline - this.options.clock.now());
    }
    const sealAtMs = this.options.clock.now();
    const execution = await this.begin(sealAtMs);
    await this.fill(execution, selection, sealAtMs);
    return execution;
  }

  private seal(execution: BlockExecution, executed: ExecutedBlock): Block {
    const { ledger, privateKey } = this.options;
    const { block } = execution;
    const unsealed: BlockHeader = {
      parentHash: ledger.head().hash,
      ommersHash: EMPTY_OMMERS_HASH,
      stateRoot: executed.changes.stateRoot,
      transactionsRoot: executed.transactionsRoot,
      receiptsRoot: executed.receiptsRoot,
      logsBloom: executed.logsBloom,
      difficulty: DIFFICULTY,
      number: block.number,
      gasLimit: block.gasLimit,
      gasUsed: executed.gasUsed,
      timestamp: block.timestamp,
      extraData: new Uint8Array(0),
      mixHash: ISTANBUL_MIX_HASH,
      ...ledger.rules.headerDefaults(this.proposer),
      ...forkFields(ledger.executor.rules(block)),
    };
    const vanity = new TextEncoder().encode('tetrad');
    const header = ledger.rules.sealAlone({
      header: unsealed,
      validators: ledger.validators(),
      privateKey,
      vanity,
    });
    return { hash: hashHeader(header), header, transactions: executed.transactions };
  }

  /** Stores the block, again and again while the database is away; it is sealed, so no other may take its place. */
  private async store(block: Block, executed: ExecutedBlock): Promise<void> {
    const { ledger, isDatabaseAway, isStored } = this.options;
    let uncertain = false;
    for (;;) {
      try {
        if (uncertain && (await isStored(block))) ledger.adopt(block, executed);
        else await ledger.append(block, executed);
        this.trouble = undefined;
        return;
      } catch (error) {
        if (!isDatabaseAway(error) || this.stopped) throw error;
        uncertain = true;
        this.report(error);
        await this.sleep(RETRY_MS);
      }
    }
  }

  /** One line when production stops, not one per attempt. */
  private report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.trouble !== message) this.options.logger.error('block production is held up', { error });
    this.trouble = message;
  }

  /** Waits, but not longer than until something new arrives. */
  private sleep(ms: number): Promise<void> {
    return new Promise((done) => {
      const cancel = this.options.clock.schedule(Math.max(ms, 0), done);
      this.wake = () => {
        cancel();
        done();
      };
    });
  }
}

const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
