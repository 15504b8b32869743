import { InvalidBlockError } from '@tetrad/node-block';
import type { BlockContext, Executor, Genesis, MayTransact, WorldState } from '@tetrad/node-execution';
import type {
  Block,
  BlockHeader,
  Clock,
  Hash,
  LogFilter,
  MinedLog,
  MinedReceipt,
  MinedTransaction,
  SealedHeader,
} from '@tetrad/types';
import { BadBlocks } from './bad-blocks.js';
import { BlockContexts } from './block-contexts.js';
import { BlockExecution, type ExecutedBlock } from './block-execution.js';
import { BlockLead } from './block-lead.js';
import { BlockStates, type Replay } from './block-states.js';
import type { BlockJoin } from './block-storage.js';
import { ChainGrowth } from './chain-growth.js';
import { ChainHead, type BlockListener } from './chain-head.js';
import { chainStart } from './chain-start.js';
import type { TransactionPlace } from '@tetrad/node-store';
import type { ConsensusRules, NextContext } from './consensus-rules.js';
import { secondsOf } from './header-time.js';
import type { BlockHorizon } from './history/block-horizon.js';
import type { StateHorizon } from './history/state-horizon.js';
import type { LedgerOptions, LedgerParts } from './ledger-parts.js';
import { verifyChain } from './verify-chain.js';

/** One chain: its blocks, receipts, logs and states, and the rules by which it grows. */
export class Ledger<Snapshot = unknown> {
  readonly genesis: Genesis;
  readonly rules: ConsensusRules<Snapshot>;
  readonly badBlocks = new BadBlocks();
  private readonly chainHead: ChainHead;
  private readonly contexts: BlockContexts;
  private readonly lead: BlockLead;
  private readonly growth: ChainGrowth<Snapshot>;
  private readonly states: BlockStates;

  constructor(
    private readonly options: LedgerOptions<Snapshot>,
    private readonly parts: LedgerParts<Snapshot>,
  ) {
    this.genesis = options.genesis;
    this.rules = options.rules;
    this.chainHead = new ChainHead(parts.headBlock, parts.totalTransactions, options);
    this.contexts = new BlockContexts({
      rules: options.rules,
      executor: options.executor,
      findHash: async (number) => (await this.findHeader(number))?.hash,
    });
    this.states = new BlockStates({
      state: parts.state,
      horizon: parts.horizon,
      headNumber: () => this.chainHead.block.header.number,
      findHeader: (number) => this.findHeader(number),
      contextOf: (header) => this.contexts.of(header),
    });
    this.lead = new BlockLead(options);
    this.growth = new ChainGrowth({
      ...options,
      ...parts,
      head: this.chainHead,
      lead: this.lead,
      ledger: this,
    });
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
    return this.chainHead.block;
  }

  /** Whether the block after the head is being stored. */
  isStoring(): boolean {
    return this.growth.isStoring();
  }

  /** @throws RequestError BLOCK_NOT_AVAILABLE when only its header is here */
  async findBlock(reference: number | Hash): Promise<Block | undefined> {
    const head = this.chainHead.block;
    const isHead = reference === head.header.number || reference === head.hash;
    const { blockHorizon, reader } = this.parts;
    // The block that was joined at became the head without what is in it.
    if (isHead && head.header.number !== blockHorizon.joined) return head;
    return reader.findBlock(reference, (number) => blockHorizon.assertHere(number));
  }

  /** As `findBlock`, also where the rest of the block is not here. */
  async findHeader(number: number): Promise<SealedHeader | undefined> {
    if (!this.parts.blockHorizon.isHeaderOnly(number)) return this.findBlock(number);
    return (await this.listHeaders(number, number))[0];
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

  /**
   * Receipts at places anywhere in the chain, in their order; places without one are left out.
   * @param places - at most some hundreds
   * @throws RequestError BLOCK_NOT_AVAILABLE when a block is not here
   */
  async listReceiptsAt(places: readonly TransactionPlace[]): Promise<MinedReceipt[]> {
    for (const { number } of places) this.parts.blockHorizon.assertHere(number);
    return this.parts.reader.listReceiptsAt(places);
  }

  /**
   * Logs in the order of the chain, at most `limit` of them.
   * @throws RequestError BLOCK_NOT_AVAILABLE when blocks of the range are not here
   */
  async listLogs(filter: LogFilter, limit: number, maxDataBytes?: number): Promise<MinedLog[]> {
    this.parts.blockHorizon.assertLogsOf(filter);
    return this.parts.reader.listLogs(filter, limit, maxDataBytes);
  }

  /** Which blocks are here with all that is in them. */
  get blockHorizon(): BlockHorizon {
    return this.parts.blockHorizon;
  }

  /** Which states can be read. */
  get horizon(): StateHorizon {
    return this.parts.horizon;
  }

  /**
   * The state after the block, to read or to execute in; changes are not kept.
   * @throws RequestError STATE_NOT_AVAILABLE when it is no longer kept, also while it is read
   */
  worldAt(block: Pick<SealedHeader, 'header'>): Promise<WorldState> {
    return this.states.after(block);
  }

  /**
   * The state before the block, and the context in which its transactions ran.
   * @throws as `worldAt`
   */
  replay(block: Block): Promise<Replay> {
    return this.states.replay(block);
  }

  /** As `replay`, for private state: what it has not executed yet is kept for longer than clients get it. */
  replayForFollower(block: Block): Promise<Replay> {
    return this.states.replayStored(block);
  }

  /** As `worldAt`, of a state that is stored for longer than clients get it. */
  storedWorldAt(block: Pick<SealedHeader, 'header'>): Promise<WorldState> {
    return this.states.storedAfter(block);
  }

  /** Difficulty of all blocks up to the number: that of the genesis file and that of each block. */
  totalDifficulty(number: number): bigint {
    return this.genesis.difficulty + BigInt(number) * this.rules.difficulty;
  }

  /** The execution context of a block with this header. */
  contextOf(header: BlockHeader): BlockContext {
    return this.contexts.of(header);
  }

  /** The context of a block on top of the head, with the fields of its fork. */
  contextAbove(next: NextContext): BlockContext {
    return this.contexts.above(next);
  }

  /** The context of a block that does not have a header yet. */
  contextFor(block: Omit<BlockContext, 'findBlockHash'>): BlockContext {
    return this.contexts.complete(block);
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
    return this.growth.importBlock(block);
  }

  /** The time of a header for forks by time. Units: seconds since the epoch */
  secondsOf(header: Pick<BlockHeader, 'timestamp'>): number {
    return secondsOf(this.rules, header);
  }

  /** Time until a sealed block may be imported by this node's clock; 0 when it may be now. Units: ms */
  earlyMs(block: SealedHeader): number {
    return this.lead.earlyMs(block);
  }

  /** Time until the block is no longer ahead of the clock; 0 when it is not. Units: ms */
  aheadMs(block: SealedHeader): number {
    return this.lead.aheadMs(block);
  }

  /**
   * Checks a sealed header, including its seals, before anything is executed. It may be early (`earlyMs`).
   * @param snapshot - that after the parent
   * @throws InvalidBlockError with the rule broken
   */
  checkHeader(block: SealedHeader, parent: SealedHeader, snapshot: Snapshot): void {
    this.growth.checkHeader(block, parent, snapshot);
  }

  /**
   * Checks and executes a block that a validator proposes on top of the head; nothing is stored.
   * @returns what `append` takes once the block is committed
   * @throws InvalidBlockError with the rule broken
   */
  checkProposal(block: Block): Promise<ExecutedBlock> {
    return this.growth.checkProposal(block);
  }

  /**
   * Makes an executed and sealed block the head: stores it first, then publishes it.
   * @throws InvalidBlockError when it does not follow the head or its seals are not a quorum
   */
  append(block: Block, executed: ExecutedBlock): Promise<void> {
    return this.growth.append(block, executed);
  }

  /**
   * Lets a part of the node store its own rows with every block from now on, in the block's transaction.
   *
   * The part is called again when a write is retried; as a listener it is notified that a block is stored.
   */
  joinBlocks(join: BlockJoin): void {
    this.growth.join(join);
  }

  /** Calls the listener after each new head; the result removes it. */
  onBlock(listener: BlockListener): () => void {
    return this.chainHead.onMove(listener);
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
    const last = { number: this.chainHead.block.header.number, snapshot: this.snapshot() };
    await verifyChain({
      start,
      last,
      rules,
      progress,
      readBlock: (number) => reader.readBlock(number),
      check: (block, parent, snapshot) => this.growth.checkStored(block, parent, snapshot),
    });
    return last.number - from;
  }

  private async startAt(number: number): Promise<{ readonly block: Block; readonly snapshot: Snapshot }> {
    const block = await this.parts.reader.readBlock(number);
    if (block === undefined) throw new InvalidBlockError(`block ${number} is not stored`);
    return { block, snapshot: await this.snapshotAt(number) };
  }
}
