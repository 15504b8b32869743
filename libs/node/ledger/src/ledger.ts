import { bftRules, type BftRules } from '@tetrad/node-consensus-bft';
import {
  InvalidTransactionError,
  StateDatabase,
  genesisState,
  orderedTrieRoot,
  type BftConfig,
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
  Gauge,
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
import { assertCommitments, assertHeader } from './block-verification.js';
import { consensusSettings, type ConsensusSettings } from './consensus-settings.js';
import { genesisBlock } from './genesis-block.js';
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

const DEFAULT_CACHED_TRANSACTIONS = 8_000;

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
  const cachedTransactions = options.cachedTransactions ?? DEFAULT_CACHED_TRANSACTIONS;
  const reader = new ChainReader({ store, chainId: genesis.chainId, cachedTransactions, metrics });
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
  private readonly listeners: Listeners<BlockListener>;
  private readonly headGauge: Gauge;
  /** The block that is being written; heads move one after the other. */
  private moving: Promise<unknown> = Promise.resolve();

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
    this.listeners = new Listeners((error) =>
      options.logger.error('a listener of the chain failed', { error }),
    );
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
    const reward = rewardOf(this.settingsAt(context.number), context.proposer);
    return new BlockExecution({ executor: this.options.executor, block: context, world, reward });
  }

  /** Consensus settings at a block. Fails: InvalidBlockError on a raft chain, which has none. */
  settingsAt(blockNumber: number): ConsensusSettings {
    return consensusSettings(this.bftConfig(), blockNumber);
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
  importBlock(block: Block): Promise<void> {
    return this.inTurn(async () => {
      const executed = await this.verify(block, this.headBlock, this.options.allowedFutureSeconds ?? 0);
      await this.write(block, executed);
    });
  }

  /** Makes an executed and sealed block the head: stored first, seen after. Fails: when it does not follow the head. */
  append(block: Block, executed: ExecutedBlock): Promise<void> {
    return this.inTurn(() => this.write(block, executed));
  }

  /** The head moved in the database; now it moves here too. */
  adopt(block: Block, executed: Pick<ExecutedBlock, 'receipts' | 'changes'>): void {
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
    const initial: StateChanges = await genesisState(this.genesis, this.parts.state);
    let parent = genesisBlock(this.genesis, initial);
    const last = this.headBlock.header.number;
    for (let number = 1; number <= last; number++) {
      const block = await this.parts.reader.readBlock(number);
      if (block === undefined) throw new InvalidBlockError(`block ${number} is not stored`);
      // Stored blocks are not in the future, whatever the clock says today.
      await this.verify(block, parent, Number.POSITIVE_INFINITY);
      parent = block;
      progress(number);
    }
    return last;
  }

  /** Everything that makes a block valid on top of its parent; cheap checks first. */
  private async verify(block: Block, parent: Block, allowedFutureSeconds: number): Promise<ExecutedBlock> {
    const { header, transactions } = block;
    assertHeader(block, {
      rules: this.rules,
      settings: this.settingsAt(header.number),
      executor: this.executor,
      parent,
      now: Math.floor(this.clock.now() / 1000),
      allowedFutureSeconds,
    });
    if (header.transactionsRoot !== (await orderedTrieRoot(transactions.map(({ raw }) => raw)))) {
      throw new InvalidBlockError('mismatch transactions hashes');
    }
    const execution = this.execute(this.contextOf(header), await this.worldAt(parent));
    try {
      await execution.addAll(transactions);
    } catch (error) {
      if (error instanceof InvalidTransactionError)
        throw new InvalidBlockError(`invalid transaction: ${error.message}`);
      throw error;
    }
    const executed = await execution.finish();
    assertCommitments(header, executed);
    return executed;
  }

  private async write(block: Block, executed: ExecutedBlock): Promise<void> {
    const totalTransactions = this.totalTransactions + block.transactions.length;
    const { receipts, changes } = executed;
    await this.options.store.appendBlock(toBlockWrite(block, { receipts, changes, totalTransactions }));
    this.adopt(block, executed);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.moving.then(work);
    this.moving = result.catch(() => undefined);
    return result;
  }

  private bftConfig(): BftConfig {
    const { consensus } = this.genesis;
    if (consensus.engine === 'raft') throw new InvalidBlockError('raft blocks are ordered by another engine');
    return consensus;
  }
}
