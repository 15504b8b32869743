import { InvalidBlockError } from '@tetrad/node-block';
import {
  type BlockContext,
  type Executor,
  type Genesis,
  type MayTransact,
  type WorldState,
} from '@tetrad/node-execution';
import {
  Listeners,
  type Block,
  type BlockHeader,
  type Clock,
  type Gauge,
  type Hash,
  type LogFilter,
  type MinedLog,
  type MinedReceipt,
  type MinedTransaction,
  type Receipt,
  type SealedHeader,
} from '@tetrad/types';
import { BlockExecution, type ExecutedBlock } from './block-execution.js';
import { BadBlocks } from './bad-blocks.js';
import { checkBlock } from './block-check.js';
import { BlockPhases } from './block-phases.js';
import { BlockStorage, type BlockJoin } from './block-storage.js';
import { assertHeader } from './block-verification.js';
import { chainStart } from './chain-start.js';
import type { ConsensusRules, HeaderConditions, NextContext } from './consensus-rules.js';
import { forkFields } from './header-fields.js';
import { blockTimes, secondsOf } from './header-time.js';
import type { StateHorizon } from './history/state-horizon.js';
import type { LedgerOptions, LedgerParts } from './ledger-parts.js';
import { verifyChain } from './verify-chain.js';

export type BlockListener = (block: Block, receipts: readonly Receipt[]) => void;

/**
 * How far a sealed block may be ahead of this node's clock in addition: a quorum has accepted it by its clocks, and a
 * node with a slow clock must not reject it.
 */
const SEALED_LEEWAY_MS = 15_000;

/**
 * How far the headers of sealed blocks may be ahead: as far as the clocks of two peers may be apart. Their seals are final, so
 * the clock is wrong and not the peer; the blocks are held until their time has come.
 */
const HELD_LEEWAY_MS = 600_000;

const MS = 1000;

/** The parts of an executed block that the ledger needs once the block is stored. */
export type AdoptedBlock = Pick<ExecutedBlock, 'receipts' | 'changes' | 'namedValidators'>;

/** One chain: its blocks, receipts, logs and states, and the rules by which it grows. */
export class Ledger<Snapshot = unknown> {
  readonly genesis: Genesis;
  readonly rules: ConsensusRules<Snapshot>;
  readonly badBlocks = new BadBlocks();
  private headBlock: Block;
  private totalTransactions: number;
  private readonly listeners: Listeners<BlockListener>;
  private readonly headGauge: Gauge;
  private readonly headTimeGauge: Gauge;
  private readonly phases: BlockPhases;
  private readonly storage: BlockStorage;

  constructor(
    private readonly options: LedgerOptions<Snapshot>,
    private readonly parts: LedgerParts<Snapshot>,
  ) {
    this.genesis = options.genesis;
    this.rules = options.rules;
    this.headBlock = parts.headBlock;
    this.totalTransactions = parts.totalTransactions;
    this.listeners = new Listeners((error) =>
      options.logger.error('a listener of the chain failed', { error }),
    );
    this.phases = new BlockPhases(options.metrics);
    this.storage = new BlockStorage(options.store, this.phases);
    this.headGauge = options.metrics.gauge('node_head_block_number', 'Number of the newest block');
    this.headTimeGauge = options.metrics.gauge(
      'node_head_block_timestamp_seconds',
      'Unix time in the header of the newest block',
    );
    this.showHead();
  }

  get executor(): Executor {
    return this.options.executor;
  }

  /** Restricts which senders may transact; undefined where all may. */
  get mayTransact(): MayTransact | undefined {
    return this.options.mayTransact;
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
    return this.storage.isWriting();
  }

  findBlock(reference: number | Hash): Promise<Block | undefined> {
    if (reference === this.headBlock.header.number || reference === this.headBlock.hash) {
      return Promise.resolve(this.headBlock);
    }
    return this.parts.reader.findBlock(reference);
  }

  /** Headers in ascending order; numbers are inclusive, missing blocks are omitted. */
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
  listLogs(filter: LogFilter, limit: number, maxDataBytes?: number): Promise<MinedLog[]> {
    return this.parts.reader.listLogs(filter, limit, maxDataBytes);
  }

  /** Which states can be read. */
  get horizon(): StateHorizon {
    return this.parts.horizon;
  }

  /**
   * The state after the block, to read or to execute in; changes are not kept.
   * @throws RequestError STATE_NOT_AVAILABLE when it is no longer kept, also while it is read
   */
  async worldAt(block: Pick<SealedHeader, 'header'>): Promise<WorldState> {
    const { horizon } = this;
    horizon.assertKept(block.header.number, horizon.oldestAt(this.headBlock.header.number));
    return this.storedWorldAt(block);
  }

  /**
   * The state before the block, and the context in which its transactions ran.
   * @throws as `worldAt`
   */
  async replay(block: Block): Promise<{ context: BlockContext; world: WorldState }> {
    return { context: this.contextOf(block.header), world: await this.worldAt(await this.parentOf(block)) };
  }

  /** As `replay`, for private state: what it has not executed yet is kept for longer than clients get it. */
  async replayForFollower(block: Block): Promise<{ context: BlockContext; world: WorldState }> {
    return {
      context: this.contextOf(block.header),
      world: await this.storedWorldAt(await this.parentOf(block)),
    };
  }

  private async parentOf({ header }: Block): Promise<Block> {
    const parent = await this.findBlock(header.number - 1);
    if (parent === undefined) throw new InvalidBlockError('unknown ancestor');
    return parent;
  }

  /** As `worldAt`, of a state that is stored for longer than clients get it. */
  async storedWorldAt({ header }: Pick<SealedHeader, 'header'>): Promise<WorldState> {
    const { number, stateRoot } = header;
    const { horizon } = this;
    const assertStored = () => horizon.assertKept(number, horizon.oldestStored);
    assertStored();
    return this.parts.state.openWorld(stateRoot, undefined, assertStored);
  }

  /** Difficulty of all blocks up to the number: that of the genesis file and that of each block. */
  totalDifficulty(number: number): bigint {
    return this.genesis.difficulty + BigInt(number) * this.rules.difficulty;
  }

  /** The execution context of a block with this header. */
  contextOf(header: BlockHeader): BlockContext {
    const proposer = this.rules.coinbaseOf(header);
    return this.contextFor({ ...header, proposer, ...blockTimes(this.rules, header) });
  }

  /** The context of a block on top of the head, with the fields of its fork. */
  contextAbove(next: NextContext): BlockContext {
    const { baseFeePerGas } = forkFields(this.executor.rules(next));
    return this.contextFor({ ...next, ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }) });
  }

  /** The context of a block that does not have a header yet. */
  contextFor(block: Omit<BlockContext, 'findBlockHash'>): BlockContext {
    const { number, timestamp, evmTimestamp, proposer, gasLimit, baseFeePerGas, difficulty, mixHash } = block;
    const feeRecipient = this.rules.feeRecipientOf(block);
    const findBlockHash = async (wanted: number) => (await this.findBlock(wanted))?.hash;
    return {
      number,
      timestamp,
      proposer,
      gasLimit,
      difficulty,
      mixHash,
      findBlockHash,
      ...(evmTimestamp === undefined ? {} : { evmTimestamp }),
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
      ...(feeRecipient === undefined ? {} : { feeRecipient }),
    };
  }

  /** A block on top of a state, ready for its transactions. */
  execute(context: BlockContext, world: WorldState): BlockExecution {
    const { executor, mayTransact, rules } = this;
    const { keepsRevertReasons } = this.options;
    return new BlockExecution({ executor, block: context, world, rules, mayTransact, keepsRevertReasons });
  }

  /** The snapshot after the head, against which the next block is checked. */
  snapshot(): Snapshot {
    return this.parts.snapshots.head();
  }

  /**
   * The same after a block of the chain.
   * @throws InvalidBlockError `unknown block`
   */
  snapshotAt(blockNumber: number): Promise<Snapshot> {
    return this.parts.snapshots.at(blockNumber);
  }

  /**
   * Checks a block completely, executes it and makes it the head; does nothing when it is the head already.
   * @throws InvalidBlockError with the rule broken; nothing is stored then
   */
  importBlock(block: Block): Promise<void> {
    return this.storage.inTurn(async () => {
      if (block.hash === this.headBlock.hash) return;
      const executed = await this.check(block, this.conditions(SEALED_LEEWAY_MS));
      await this.write(block, executed);
    });
  }

  /** The time of a header for forks by time. Units: seconds since the epoch */
  secondsOf(header: Pick<BlockHeader, 'timestamp'>): number {
    return secondsOf(this.rules, header);
  }

  /** Time until a sealed block may be imported by this node's clock; 0 when it may be now. Units: ms */
  earlyMs(block: SealedHeader): number {
    return Math.max(0, this.aheadMs(block) - SEALED_LEEWAY_MS);
  }

  /** Time until the block is no longer ahead of the clock; 0 when it is not. Units: ms */
  aheadMs({ header }: SealedHeader): number {
    return Math.max(0, this.rules.timeMsOf(header) - this.latestMs());
  }

  /**
   * Checks a sealed header, including its seals, before anything is executed. It may be early (`earlyMs`).
   * @param snapshot - that after the parent
   * @throws InvalidBlockError with the rule broken
   */
  checkHeader(block: SealedHeader, parent: SealedHeader, snapshot: Snapshot): void {
    assertHeader(block, this, { ...this.conditions(HELD_LEEWAY_MS), parent, snapshot });
  }

  /**
   * Checks and executes a block that a validator proposes on top of the head; nothing is stored.
   * @returns what `append` takes once the block is committed
   * @throws InvalidBlockError with the rule broken
   */
  checkProposal(block: Block): Promise<ExecutedBlock> {
    return this.check(block, { ...this.conditions(), isProposal: true });
  }

  /**
   * Makes an executed and sealed block the head: stores it first, then publishes it.
   * @throws InvalidBlockError when it does not follow the head or its seals are not a quorum
   */
  append(block: Block, executed: ExecutedBlock): Promise<void> {
    return this.storage.inTurn(async () => {
      if (block.hash === this.headBlock.hash) return;
      assertHeader(block, this, this.conditions(SEALED_LEEWAY_MS));
      await this.write(block, executed);
    });
  }

  /** Moves the head in memory, after it moved in the database. */
  private adopt(block: Block, executed: AdoptedBlock): void {
    const { snapshot } = this.parts.snapshots.after(block, executed.namedValidators);
    this.parts.snapshots.adopt(block.header.number, snapshot);
    this.parts.state.adopt(executed.changes);
    this.parts.reader.remember(block, executed.receipts);
    this.totalTransactions += block.transactions.length;
    this.headBlock = block;
    this.showHead();
    this.listeners.emit((listener) => listener(block, executed.receipts));
  }

  private showHead(): void {
    const { header } = this.headBlock;
    this.headGauge.set(header.number);
    this.headTimeGauge.set(this.rules.timeMsOf(header) / 1_000);
  }

  /**
   * Lets a part of the node store its own rows with every block from now on, in the block's transaction.
   *
   * The part is called again when a write is retried; as a listener it is notified that a block is stored.
   */
  joinBlocks(join: BlockJoin): void {
    this.storage.join(join);
  }

  /** Calls the listener after each new head; the result removes it. */
  onBlock(listener: BlockListener): () => void {
    return this.listeners.add(listener);
  }

  /**
   * Executes every stored block again from the genesis file, or from the oldest block whose state is stored, and compares
   * all commitments.
   * @returns the number of blocks verified
   * @throws InvalidBlockError at the first that differs
   */
  async verifyFromGenesis(progress: (blockNumber: number) => void = () => undefined): Promise<number> {
    const { state, reader } = this.parts;
    const { rules } = this;
    const from = this.horizon.oldestStored;
    const start = from === 0 ? await chainStart(this.options, rules, state) : await this.startAt(from);
    const last = { number: this.headBlock.header.number, snapshot: this.snapshot() };
    await verifyChain({
      start,
      last,
      rules,
      progress,
      readBlock: (number) => reader.readBlock(number),
      // Stored blocks are not in the future, whatever the clock says today.
      check: (block, parent, snapshot) =>
        this.check(block, { ...this.conditions(Infinity), parent, snapshot }),
    });
    return last.number - from;
  }

  private async startAt(number: number): Promise<{ readonly block: Block; readonly snapshot: Snapshot }> {
    const block = await this.parts.reader.readBlock(number);
    if (block === undefined) throw new InvalidBlockError(`block ${number} is not stored`);
    return { block, snapshot: await this.snapshotAt(number) };
  }

  private check(block: Block, conditions: HeaderConditions<Snapshot>): Promise<ExecutedBlock> {
    return checkBlock(this, block, { conditions, phases: this.phases });
  }

  /** The values against which the block after the head is checked. */
  private conditions(leewayMs = 0): HeaderConditions<Snapshot> {
    return {
      parent: this.headBlock,
      snapshot: this.snapshot(),
      latestMs: this.latestMs() + leewayMs,
      isProposal: false,
    };
  }

  /** The latest time that a block may have been made, by this node's clock. */
  private latestMs(): number {
    return this.clock.now() + (this.options.allowedFutureSeconds ?? 0) * MS;
  }

  private async write(block: Block, executed: ExecutedBlock): Promise<void> {
    const { rows: ofConsensus } = this.parts.snapshots.after(block, executed.namedValidators);
    const totalTransactions = this.totalTransactions + block.transactions.length;
    await this.storage.write(block, executed, { totalTransactions, ofConsensus });
    this.adopt(block, executed);
  }
}
