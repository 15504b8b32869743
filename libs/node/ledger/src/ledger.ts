import {
  bftRules,
  hashHeader,
  namesValidators,
  verifyHeader,
  type BftRules,
} from '@tetrad/node-consensus-bft';
import {
  StateDatabase,
  genesisState,
  type BlockContext,
  type Executor,
  type Genesis,
  type StateCacheLimits,
  type StateChanges,
  type WorldState,
} from '@tetrad/node-execution';
import type { LedgerStore } from '@tetrad/node-store';
import type {
  Address,
  Block,
  BlockHeader,
  Clock,
  Hash,
  LogFilter,
  Logger,
  Metrics,
  MinedLog,
  MinedReceipt,
  MinedTransaction,
  Receipt,
  SealedHeader,
} from '@tetrad/types';
import { BlockExecution, type ExecutedBlock } from './block-execution.js';
import { ChainReader } from './chain-reader.js';
import { rewardOf } from './block-reward.js';
import { toBlockWrite } from './block-rows.js';
import { genesisBlock } from './genesis-block.js';
import { hasForkFields } from './header-fields.js';
import { InvalidBlockError } from './invalid-block-error.js';
import { Listeners } from './listeners.js';

/** The database holds another chain than the genesis file describes. */
export class WrongGenesisError extends Error {
  override readonly name = 'WrongGenesisError';
}

export interface LedgerOptions {
  readonly genesis: Genesis;
  readonly store: LedgerStore;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly stateCache?: StateCacheLimits;
  /** Transactions whose blocks and receipts are kept in memory. */
  readonly cachedTransactions?: number;
  /** Seconds that a block may be ahead of this node's clock. */
  readonly allowedFutureSeconds?: number;
}

export type BlockListener = (block: Block, receipts: readonly Receipt[]) => void;

/** Opens the chain of the genesis file: makes block 0 in a new database, reads the head of an existing one. */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { genesis, store, metrics } = options;
  const state = new StateDatabase({
    source: store,
    metrics,
    ...(options.stateCache === undefined ? {} : { limits: options.stateCache }),
  });
  const initial = await genesisState(genesis, state);
  const block = genesisBlock(genesis, initial);
  const identity = await store.findIdentity();
  if (identity === undefined) {
    const write = toBlockWrite(block, { receipts: [], changes: initial, totalTransactions: 0 });
    await store.initialise({ chainId: genesis.chainId, genesisHash: block.hash }, write);
  } else if (identity.genesisHash !== block.hash || identity.chainId !== genesis.chainId) {
    throw new WrongGenesisError(
      `the database holds the chain with genesis ${identity.genesisHash} (chain id ${identity.chainId}), ` +
        `the genesis file describes ${block.hash} (chain id ${genesis.chainId})`,
    );
  }
  const head = await store.findHead();
  if (head === undefined) throw new WrongGenesisError('the database has no head block');
  const reader = new ChainReader({
    store,
    chainId: genesis.chainId,
    limit: options.cachedTransactions ?? 8_000,
  });
  const headBlock = await reader.findBlock(head.number);
  if (headBlock === undefined)
    throw new WrongGenesisError(`the database lacks its head block ${head.number}`);
  return new Ledger(options, { state, reader, headBlock, totalTransactions: head.totalTransactions });
}

/** One chain: its blocks, receipts, logs and states, and the rules by which it grows. */
export class Ledger {
  readonly genesis: Genesis;
  readonly rules: BftRules;
  private headBlock: Block;
  private totalTransactions: number;
  private readonly listeners = new Listeners<BlockListener>();

  constructor(
    private readonly options: LedgerOptions,
    private readonly parts: {
      readonly state: StateDatabase;
      readonly reader: ChainReader;
      readonly headBlock: Block;
      readonly totalTransactions: number;
    },
  ) {
    this.genesis = options.genesis;
    this.rules = bftRules(options.genesis.consensus.engine === 'ibft' ? 'ibft' : 'qbft');
    this.headBlock = parts.headBlock;
    this.totalTransactions = parts.totalTransactions;
  }

  get executor(): Executor {
    return this.options.executor;
  }

  /** The newest block; everything up to it is stored. */
  head(): Block {
    return this.headBlock;
  }

  findBlock(reference: number | Hash): Promise<Block | undefined> {
    if (reference === this.headBlock.header.number || reference === this.headBlock.hash) {
      return Promise.resolve(this.headBlock);
    }
    return this.parts.reader.findBlock(reference);
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
    const proposer = header.number === 0 ? header.beneficiary : this.rules.proposerOf(header);
    return this.contextFor({ ...header, proposer });
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
    const reward = rewardOf(this.genesis, context.proposer);
    return new BlockExecution({ executor: this.options.executor, block: context, world, reward });
  }

  /** Validators that must produce the block after the head. */
  validators(): readonly Address[] {
    return this.rules.validatorsOf(this.headBlock.header);
  }

  /**
   * Checks a block in every respect, executes it and makes it the head.
   *
   * Fails: ConsensusError or InvalidBlockError with the rule broken; nothing is stored then
   */
  async importBlock(block: Block): Promise<void> {
    const parent = this.headBlock;
    this.verifyHeader(block, parent);
    const execution = this.execute(this.contextOf(block.header), await this.worldAt(parent));
    for (const transaction of block.transactions) await execution.add(transaction);
    const executed = await execution.finish();
    assertMatches(block.header, executed);
    await this.append(block, executed);
  }

  /** Makes an executed and sealed block the head: stored first, seen after. */
  async append(block: Block, executed: ExecutedBlock): Promise<void> {
    const totalTransactions = this.totalTransactions + block.transactions.length;
    const { receipts, changes } = executed;
    await this.options.store.appendBlock(toBlockWrite(block, { receipts, changes, totalTransactions }));
    this.adopt(block, executed);
  }

  /** The head moved in the database; now it moves here too. */
  adopt(block: Block, executed: Pick<ExecutedBlock, 'receipts' | 'changes'>): void {
    this.parts.state.adopt(executed.changes);
    this.parts.reader.remember(block, executed.receipts);
    this.totalTransactions += block.transactions.length;
    this.headBlock = block;
    this.options.metrics
      .gauge('node_head_block_number', 'Number of the newest block')
      .set(block.header.number);
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
   * Fails: InvalidBlockError at the first that differs
   */
  async verifyFromGenesis(progress: (blockNumber: number) => void = () => undefined): Promise<number> {
    const { state } = this.parts;
    const initial: StateChanges = await genesisState(this.genesis, state);
    let parent = genesisBlock(this.genesis, initial);
    const last = this.headBlock.header.number;
    for (let number = 1; number <= last; number++) {
      const block = await this.parts.reader.readBlock(number);
      if (block === undefined) throw new InvalidBlockError(`block ${number} is not stored`);
      this.verifyHeader(block, parent);
      const execution = this.execute(this.contextOf(block.header), await this.worldAt(parent));
      for (const transaction of block.transactions) await execution.add(transaction);
      assertMatches(block.header, await execution.finish());
      parent = block;
      progress(number);
    }
    return last;
  }

  private verifyHeader(block: Block, parent: Block): void {
    const { header } = block;
    const validators = this.rules.validatorsOf(parent.header);
    const { consensus } = this.genesis;
    if (consensus.engine === 'raft') throw new InvalidBlockError('raft blocks are ordered by another engine');
    if (hashHeader(header) !== block.hash) throw new InvalidBlockError('invalid block hash');
    verifyHeader({
      rules: this.rules,
      header,
      parent,
      validators,
      now: Math.floor(this.options.clock.now() / 1000),
      allowedFutureSeconds: this.options.allowedFutureSeconds ?? 0,
      periodSeconds: Math.floor(consensus.blockPeriodMs / 1000),
      legacyQuorum: header.number < consensus.ceilQuorumBlock,
    });
    if (!namesValidators(this.rules, header, validators))
      throw new InvalidBlockError('invalid validator list');
    if (!hasForkFields(header, this.executor.rules(header)))
      throw new InvalidBlockError('invalid fork fields');
    assertGasLimit(header, parent.header);
  }
}

/** A block's gas limit may move by less than a 1,024th (Yellow Paper, section 4.3.4). */
function assertGasLimit(header: BlockHeader, parent: BlockHeader): void {
  const change =
    header.gasLimit > parent.gasLimit ? header.gasLimit - parent.gasLimit : parent.gasLimit - header.gasLimit;
  if (change !== 0n && change >= parent.gasLimit / 1024n) throw new InvalidBlockError('invalid gas limit');
}

function assertMatches(header: BlockHeader, executed: ExecutedBlock): void {
  const { changes, logsBloom } = executed;
  if (header.transactionsRoot !== executed.transactionsRoot)
    throw new InvalidBlockError('mismatch transactions hashes');
  if (header.gasUsed !== executed.gasUsed) throw new InvalidBlockError('invalid gas used');
  if (Buffer.compare(header.logsBloom, logsBloom) !== 0) throw new InvalidBlockError('invalid bloom');
  if (header.receiptsRoot !== executed.receiptsRoot) throw new InvalidBlockError('invalid receipt root hash');
  if (header.stateRoot !== changes.stateRoot) throw new InvalidBlockError('invalid merkle root');
}
