import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { BlockContext, Executor, Genesis, WorldState } from '@tetrad/node-execution';
import type {
  Block,
  BlockHeader,
  Clock,
  Gauge,
  Hash,
  LogFilter,
  MinedLog,
  MinedReceipt,
  MinedTransaction,
  Receipt,
  SealedHeader,
} from '@tetrad/types';
import { BlockExecution, type ExecutedBlock } from './block-execution.js';
import { rewardOf } from './block-reward.js';
import { checkBlock } from './block-check.js';
import { BlockPhases } from './block-phases.js';
import { toBlockWrite } from './block-rows.js';
import { assertHeader, type HeaderJudgement } from './block-verification.js';
import type { ChainRules } from './chain-rules.js';
import { chainStart } from './chain-start.js';
import { InvalidBlockError } from './invalid-block-error.js';
import type { LedgerOptions, LedgerParts } from './ledger-parts.js';
import { Listeners } from './listeners.js';
import { verifyChain } from './verify-chain.js';

export type BlockListener = (block: Block, receipts: readonly Receipt[]) => void;

/**
 * Seconds that a sealed block may be ahead of this node's clock besides: a quorum has accepted it by theirs, and a
 * node whose clock is slow must not take them for liars.
 */
const SEALED_LEEWAY_SECONDS = 15;

/** What of an executed block the ledger needs when the block is stored already. */
export type AdoptedBlock = Pick<ExecutedBlock, 'receipts' | 'changes' | 'contractValidators'>;

/** One chain: its blocks, receipts, logs and states, and the rules by which it grows. */
export class Ledger {
  readonly genesis: Genesis;
  readonly rules: ChainRules;
  private headBlock: Block;
  private totalTransactions: number;
  private readonly listeners: Listeners<BlockListener>;
  private readonly headGauge: Gauge;
  private readonly phases: BlockPhases;
  /** Whether the last write failed, which it may also do after the database has committed it. */
  private uncertain = false;
  private writing = false;
  /** The block that is being written; heads move one after the other. */
  private moving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: LedgerOptions,
    private readonly parts: LedgerParts,
  ) {
    this.genesis = options.genesis;
    this.rules = parts.rules;
    this.headBlock = parts.headBlock;
    this.totalTransactions = parts.totalTransactions;
    this.listeners = new Listeners((error) =>
      options.logger.error('a listener of the chain failed', { error }),
    );
    this.phases = new BlockPhases(options.metrics);
    this.headGauge = options.metrics.gauge('node_head_block_number', 'Number of the newest block');
  }

  get executor(): Executor {
    return this.options.executor;
  }

  get clock(): Clock {
    return this.options.clock;
  }

  /** The newest block; everything up to it is stored. */
  head(): Block {
    return this.headBlock;
  }

  /** Whether the block after the head is being stored. */
  isStoring(): boolean {
    return this.writing;
  }

  findBlock(reference: number | Hash): Promise<Block | undefined> {
    if (reference === this.headBlock.header.number || reference === this.headBlock.hash) {
      return Promise.resolve(this.headBlock);
    }
    return this.parts.reader.findBlock(reference);
  }

  /** Headers in ascending order; numbers are inclusive, blocks that are not there are left out. */
  listHeaders(from: number, to: number): Promise<SealedHeader[]> {
    return this.parts.reader.listHeaders(from, to);
  }

  findTransaction(hash: Hash): Promise<MinedTransaction | undefined> {
    return this.parts.reader.findTransaction(hash);
  }

  findReceipt(hash: Hash): Promise<MinedReceipt | undefined> {
    return this.parts.reader.findReceipt(hash);
  }

  /** In the order of the block. */
  listReceipts(block: Block): Promise<readonly MinedReceipt[]> {
    return this.parts.reader.listReceipts(block);
  }

  /** Logs in the order of the chain, at most `limit` of them. */
  listLogs(filter: LogFilter, limit: number): Promise<MinedLog[]> {
    return this.parts.reader.listLogs(filter, limit);
  }

  /** The state after the block, to read or to try things in; nothing that happens in it is kept. */
  worldAt(block: Pick<SealedHeader, 'header'>): Promise<WorldState> {
    return this.parts.state.openWorld(block.header.stateRoot);
  }

  /** The state before the block, and the context in which its transactions ran. */
  async replay(block: Block): Promise<{ context: BlockContext; world: WorldState }> {
    const parent = await this.findBlock(block.header.number - 1);
    if (parent === undefined) throw new InvalidBlockError('unknown ancestor');
    return { context: this.contextOf(block.header), world: await this.worldAt(parent) };
  }

  /** What transactions of a block with this header may see. */
  contextOf(header: BlockHeader): BlockContext {
    return this.contextFor({ ...header, proposer: this.rules.proposerOf(header) });
  }

  /** The context of a block that does not have a header yet. */
  contextFor(block: Omit<BlockContext, 'findBlockHash'>): BlockContext {
    const { number, timestamp, proposer, gasLimit, baseFeePerGas, difficulty, mixHash } = block;
    const findBlockHash = async (wanted: number) => (await this.findBlock(wanted))?.hash;
    const fee = baseFeePerGas === undefined ? {} : { baseFeePerGas };
    return { number, timestamp, proposer, gasLimit, ...fee, difficulty, mixHash, findBlockHash };
  }

  /** A block on top of a state, ready for its transactions. */
  execute(context: BlockContext, world: WorldState): BlockExecution {
    const settings = this.rules.settingsAt(context.number);
    const reward = rewardOf(settings, context.proposer);
    const { validatorContract } = settings;
    return new BlockExecution({ executor: this.executor, block: context, world, reward, validatorContract });
  }

  /** Validators and open votes after the head; its validators must produce the next block. */
  snapshot(): ValidatorSnapshot {
    return this.parts.validators.head();
  }

  /** Validators and open votes after a block of the chain. */
  snapshotAt(blockNumber: number): Promise<ValidatorSnapshot> {
    return this.parts.validators.at(blockNumber);
  }

  /**
   * Checks a block in every respect, executes it and makes it the head; does nothing when it is the head already.
   *
   * Fails: ConsensusError or InvalidBlockError with the rule broken; nothing is stored then
   */
  importBlock(block: Block): Promise<void> {
    return this.inTurn(async () => {
      if (block.hash === this.headBlock.hash) return;
      const executed = await this.check(block, this.judgement(SEALED_LEEWAY_SECONDS));
      await this.write(block, executed);
    });
  }

  /** How long until the clock lets the block pass; 0 when it does now. Units: ms */
  aheadMs({ header }: SealedHeader): number {
    const { allowedFutureSeconds = 0 } = this.options;
    const nowSeconds = Math.floor(this.clock.now() / 1000);
    if (header.timestamp <= nowSeconds + allowedFutureSeconds) return 0;
    return (header.timestamp - allowedFutureSeconds) * 1000 - this.clock.now();
  }

  /**
   * Checks what a sealed header says, its seals included, before anything is executed.
   *
   * In:    snapshot — the validators after the parent
   * Fails: ConsensusError or InvalidBlockError with the rule broken
   */
  checkHeader(block: SealedHeader, parent: SealedHeader, snapshot: ValidatorSnapshot): void {
    assertHeader(block, { ...this.judgement(SEALED_LEEWAY_SECONDS), parent, snapshot });
  }

  /**
   * Checks and executes a block that a validator proposes on top of the head; nothing is stored.
   *
   * Out:   what `append` takes once the block is committed
   * Fails: ConsensusError or InvalidBlockError with the rule broken
   */
  checkProposal(block: Block): Promise<ExecutedBlock> {
    return this.check(block, { ...this.judgement(), isProposal: true });
  }

  /**
   * Makes an executed and sealed block the head: stored first, seen after.
   *
   * Fails: ConsensusError or InvalidBlockError when it does not follow the head or its seals are no quorum
   */
  append(block: Block, executed: ExecutedBlock): Promise<void> {
    return this.inTurn(async () => {
      if (block.hash === this.headBlock.hash) return;
      assertHeader(block, this.judgement(SEALED_LEEWAY_SECONDS));
      await this.write(block, executed);
    });
  }

  /** The head moved in the database; now it moves here too. */
  private adopt(block: Block, executed: AdoptedBlock): void {
    const { snapshot } = this.parts.validators.after(block, executed.contractValidators);
    this.parts.validators.adopt(snapshot);
    this.parts.state.adopt(executed.changes);
    this.parts.reader.remember(block, executed.receipts);
    this.totalTransactions += block.transactions.length;
    this.headBlock = block;
    this.headGauge.set(block.header.number);
    this.listeners.emit((listener) => listener(block, executed.receipts));
  }

  /** Calls the listener after each new head; the result ends that. */
  onBlock(listener: BlockListener): () => void {
    return this.listeners.add(listener);
  }

  /**
   * Executes every stored block again from the genesis file and compares all commitments.
   *
   * Out:   the number of blocks verified
   * Fails: InvalidBlockError or ConsensusError at the first that differs
   */
  async verifyFromGenesis(progress: (blockNumber: number) => void = () => undefined): Promise<number> {
    const { rules, state, reader } = this.parts;
    const start = await chainStart(this.options, rules, state);
    const last = { number: this.headBlock.header.number, snapshot: this.snapshot() };
    await verifyChain({
      ...{ start, last, rules, progress },
      readBlock: (number) => reader.readBlock(number),
      // Stored blocks are not in the future, whatever the clock says today.
      check: (block, parent, snapshot) =>
        this.check(block, { ...this.judgement(Infinity), parent, snapshot }),
    });
    return last.number;
  }

  private check(block: Block, judgement: HeaderJudgement): Promise<ExecutedBlock> {
    return checkBlock(this, block, { judgement, phases: this.phases });
  }

  /** By what the block after the head is judged. */
  private judgement(leewaySeconds = 0): HeaderJudgement {
    return {
      rules: this.rules,
      executor: this.executor,
      parent: this.headBlock,
      snapshot: this.snapshot(),
      now: Math.floor(this.clock.now() / 1000),
      allowedFutureSeconds: (this.options.allowedFutureSeconds ?? 0) + leewaySeconds,
    };
  }

  /** Whether the block was stored by an attempt that seemed to fail. */
  private async isStored({ hash }: Block): Promise<boolean> {
    return (await this.options.store.findHead())?.hash === hash;
  }

  private async write(block: Block, executed: ExecutedBlock): Promise<void> {
    const totalTransactions = this.totalTransactions + block.transactions.length;
    const { receipts, changes, contractValidators } = executed;
    const { change: validators } = this.parts.validators.after(block, contractValidators);
    const rows = toBlockWrite(block, { receipts, changes, totalTransactions, validators });
    const started = performance.now();
    this.writing = true;
    try {
      if (!this.uncertain || !(await this.isStored(block))) {
        this.uncertain = true;
        await this.options.store.appendBlock(rows);
      }
    } finally {
      this.writing = false;
    }
    this.uncertain = false;
    this.phases.took('storage', performance.now() - started);
    this.adopt(block, executed);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.moving.then(work);
    this.moving = result.catch(() => undefined);
    return result;
  }
}
