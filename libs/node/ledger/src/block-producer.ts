import { DIFFICULTY, EMPTY_OMMERS_HASH, ISTANBUL_MIX_HASH, hashHeader } from '@tetrad/node-consensus-bft';
import type { WorldState } from '@tetrad/node-execution';
import type { Address, Block, BlockHeader, Clock, Counter, Histogram, Logger, Metrics } from '@tetrad/types';
import { BlockDraft } from './block-draft.js';
import type { BlockExecution, ExecutedBlock } from './block-execution.js';
import { forkFields } from './header-fields.js';
import type { Ledger } from './ledger.js';
import { TimeSlices } from './time-slices.js';
import type { TransactionPool } from './transaction-pool.js';

const RETRY_MS = 500;
const MS = 1000;

/** Drafts that one block may throw away because a transaction in them was replaced; then the old one stays in it. */
const MAX_OUTDATED_DRAFTS = 2;

const VANITY = new TextEncoder().encode('tetrad');
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export interface BlockProductionOptions {
  readonly ledger: Ledger;
  readonly pool: TransactionPool;
  /** Signs as the chain's only validator. */
  readonly privateKey: Uint8Array;
  /** Time between blocks; a shorter one than the genesis file demands has no effect. */
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

/** The loop that makes one block after the other. */
export class BlockProducer {
  /** Why no blocks are produced at the moment. */
  trouble: string | undefined;
  private stopped = false;
  private draft: BlockDraft | undefined;
  private wake: () => void = () => undefined;
  /** When the last block was sealed, in milliseconds; periods under a second need it. */
  private lastSealedMs = 0;
  private readonly phases: Histogram;
  private readonly blocks: Counter;
  private readonly transactions: Counter;

  constructor(
    private readonly options: BlockProductionOptions,
    private readonly proposer: Address,
  ) {
    const { metrics } = options;
    const help = 'Time a block takes, by phase';
    this.phases = metrics.histogram('node_block_phase_seconds', help, ['phase'], BUCKETS);
    this.blocks = metrics.counter('node_blocks_produced_total', 'Blocks this node proposed');
    this.transactions = metrics.counter('node_transactions_mined_total', 'Transactions in them');
  }

  stop(): void {
    this.stopped = true;
    this.wake();
  }

  async pendingWorld(): Promise<WorldState> {
    const { ledger } = this.options;
    return this.draft?.copyWorld() ?? ledger.worldAt(ledger.head());
  }

  async run(): Promise<void> {
    const forget = this.options.pool.onTransaction(() => this.wake());
    while (!this.stopped) {
      try {
        await this.produceBlock();
        this.trouble = undefined;
      } catch (error) {
        this.report(error);
        if (!this.stopped) await this.sleep(RETRY_MS);
      } finally {
        this.closeDraft();
      }
    }
    forget();
  }

  private async produceBlock(): Promise<void> {
    const sealedMs = await this.prepareDraft();
    const execution = this.draft?.execution;
    if (this.stopped || execution === undefined) return;
    const started = performance.now();
    const executed = await execution.finish();
    const block = this.seal(execution, executed);
    const hashed = performance.now();
    await this.store(block, executed);
    this.lastSealedMs = sealedMs;
    this.phases.observe((hashed - started) / MS, { phase: 'hashing' });
    this.phases.observe((performance.now() - hashed) / MS, { phase: 'storage' });
    this.blocks.increment();
    this.transactions.increment({}, block.transactions.length);
  }

  /** Fills a draft until it is to be sealed. Out: the time of that, in milliseconds since the epoch. */
  private async prepareDraft(): Promise<number> {
    const { blockPeriodMs, emptyBlockPeriodMs, clock } = this.options;
    const sealAtMs = this.sealTime(blockPeriodMs);
    const draft = await this.fillDraft(sealAtMs);
    if (!draft.isEmpty || emptyBlockPeriodMs <= blockPeriodMs) return sealAtMs;
    await this.waitForTransaction(draft, this.sealTime(emptyBlockPeriodMs));
    const laterMs = Math.max(sealAtMs, clock.now());
    await this.fillDraft(laterMs);
    return laterMs;
  }

  /** A draft that is ready to be sealed at the time; one that is spoilt on the way is made again. */
  private async fillDraft(sealAtMs: number): Promise<BlockDraft> {
    for (let outdated = 0; ;) {
      const draft = await this.openDraft(sealAtMs);
      const spoilt = () => draft.isBroken || (draft.isOutdated && outdated < MAX_OUTDATED_DRAFTS);
      await this.fill(draft, { sealAtMs, spoilt });
      if (this.stopped || !spoilt()) return draft;
      if (draft.isOutdated) outdated += 1;
    }
  }

  /** When the next block may be sealed: a period after its parent, as the genesis file demands, not in the past. */
  private sealTime(periodMs: number): number {
    const { ledger, clock } = this.options;
    const { number, timestamp } = ledger.head().header;
    const demanded = timestamp + Math.floor(ledger.settingsAt(number + 1).blockPeriodMs / MS);
    const due = periodMs % MS === 0 ? timestamp * MS + periodMs : this.lastSealedMs + periodMs;
    return Math.max(clock.now(), demanded * MS, due);
  }

  private async openDraft(sealAtMs: number): Promise<BlockDraft> {
    this.closeDraft();
    const { ledger, pool, logger, isDatabaseAway } = this.options;
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
    const execution = ledger.execute(context, await ledger.worldAt(head));
    this.draft = new BlockDraft({ execution, pool, logger, isDatabaseAway });
    return this.draft;
  }

  private closeDraft(): void {
    this.draft?.close();
    this.draft = undefined;
  }

  /** Executes transactions as they come until the block is to be sealed; a full pool gets at least one slice. */
  private async fill(
    draft: BlockDraft,
    { sealAtMs, spoilt }: { sealAtMs: number; spoilt: () => boolean },
  ): Promise<void> {
    const { clock } = this.options;
    const slices = new TimeSlices();
    let executionMs = 0;
    while (!this.stopped && !spoilt()) {
      const late = clock.now() >= sealAtMs;
      if (draft.hasNext && !(late && slices.isOver())) {
        const started = performance.now();
        await draft.executeNext();
        executionMs += performance.now() - started;
        if (slices.isOver() && !late) await slices.pause();
      } else if (late) {
        break;
      } else {
        await this.sleep(sealAtMs - clock.now());
      }
    }
    this.phases.observe(executionMs / MS, { phase: 'execution' });
  }

  /** Puts an empty block off until there is a transaction for it or the time is over. */
  private async waitForTransaction(draft: BlockDraft, deadlineMs: number): Promise<void> {
    const { clock } = this.options;
    while (!this.stopped && !draft.hasNext && clock.now() < deadlineMs) {
      await this.sleep(deadlineMs - clock.now());
    }
  }

  private seal({ block }: BlockExecution, executed: ExecutedBlock): Block {
    const { ledger, privateKey } = this.options;
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
    const validators = ledger.validators();
    const header = ledger.rules.sealAlone({ header: unsealed, validators, privateKey, vanity: VANITY });
    return { hash: hashHeader(header), header, transactions: executed.transactions };
  }

  /** Stores the block, again and again while the database is away; it is sealed, so no other may take its place. */
  private async store(block: Block, executed: ExecutedBlock): Promise<void> {
    const { ledger, logger, isDatabaseAway, isStored } = this.options;
    for (let uncertain = false; ; uncertain = true) {
      try {
        if (uncertain && (await isStored(block))) ledger.adopt(block, executed);
        else await ledger.append(block, executed);
        if (uncertain) logger.info('block production goes on', { number: block.header.number });
        return;
      } catch (error) {
        if (!isDatabaseAway(error) || this.stopped) throw error;
        this.report(error);
        await this.sleep(RETRY_MS);
      }
    }
  }

  /** One line when production stops, not one per attempt. */
  private report(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.trouble === undefined) this.options.logger.error('block production is held up', { error });
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
