import type { BlockContext, Executor, WorldState } from '@tetrad/node-execution';
import type { JoinedRows, LedgerStore } from '@tetrad/node-store';
import type { Address, BlockHeader, Hash, SealedHeader } from '@tetrad/types';

/**
 * The consensus rules of one chain, as the ledger uses them; each engine has an implementation, and the node selects
 * one by the genesis file.
 *
 * `Snapshot` is the state of the rules after a block besides its header, such as the validators and their open votes.
 * The ledger carries it from block to block as an opaque value; values are shared and immutable.
 */
export interface ConsensusRules<Snapshot = unknown> {
  /** Difficulty of every block but the first. */
  readonly difficulty: bigint;

  /** The hash of a header, which may exclude parts that are added after the proposal. */
  hashHeader(header: BlockHeader): Hash;
  /** The proposer of the block; for block 0, which has none, the beneficiary. */
  proposerOf(header: BlockHeader): Address;
  /** The EVM's COINBASE in the block, which is paid for gas where `feeRecipientOf` names no other account. */
  coinbaseOf(header: BlockHeader): Address;
  /** When the block was made, by its header. Units: ms since the epoch */
  timeMsOf(header: Pick<BlockHeader, 'timestamp'>): number;
  /** The timestamp of a block that is made at the time. Units: ms since the epoch */
  timestampAt(timeMs: number): bigint;
  /** Difference of the timestamp of a simulated block without a time to that of its parent. */
  timestampStep(blockNumber: number): bigint;

  /**
   * Checks a header by itself, against its parent and its seals. The ledger checks hash and fork fields, and the
   * commitments once the block is executed.
   * @throws InvalidBlockError with the rule broken
   */
  assertHeader(block: SealedHeader, conditions: HeaderConditions<Snapshot>): void;

  /** Whether the header has what others check it by: one that was taken on trust has none of it, and is not given to peers. */
  isSealed(header: BlockHeader): boolean;

  /** The context of the block after the parent, as fixed before its first transaction runs. */
  nextContext(parent: BlockHeader, next: NextBlock): NextContext;
  /** The block reward; undefined on chains without. */
  rewardOf(block: Pick<BlockContext, 'number' | 'proposer'>): BlockReward | undefined;
  /** The account that is paid for gas in the block; undefined: the EVM's COINBASE. */
  feeRecipientOf(block: Pick<BlockContext, 'number'>): Address | undefined;
  /** The validators that the state after a block names; undefined where the state names none. */
  namedValidators(after: StateAfterBlock): Promise<readonly Address[] | undefined>;

  /**
   * Checks the genesis file beyond its form.
   * @throws GenesisError or InvalidBlockError naming the field
   */
  assertGenesis(): void;
  /**
   * The snapshot after block 0.
   * @throws GenesisError or InvalidBlockError when block 1 could not be made
   */
  genesisSnapshot(header: BlockHeader, named: readonly Address[] | undefined): Snapshot;
  /**
   * The snapshot after the next block.
   * @param named - result of `namedValidators` after that block
   * @throws InvalidBlockError when the block cannot follow
   */
  snapshotAfter(before: Snapshot, header: BlockHeader, named: readonly Address[] | undefined): Snapshot;
  /** The same from the header alone; undefined where it depends on the state after the block. */
  foreseeSnapshot(before: Snapshot, header: BlockHeader): Snapshot | undefined;
  isSameSnapshot(one: Snapshot, other: Snapshot): boolean;
  /**
   * Rows that a block writes for its snapshot, in its own transaction.
   * @param before - undefined for block 0
   */
  snapshotRows(before: Snapshot | undefined, after: Snapshot): JoinedRows[];
  /**
   * Checks that stored snapshots are those that the genesis file asks for.
   * @throws GenesisError
   */
  assertStored(store: LedgerStore, headNumber: number): Promise<void>;
  /** The snapshot after a stored block; undefined when it is not stored. */
  findSnapshot(store: LedgerStore, blockNumber: number): Promise<Snapshot | undefined>;
  /**
   * Creates the snapshot of a chain whose blocks were stored without.
   * @returns that of the head
   */
  adoptChain(store: LedgerStore, headNumber: number, genesis: Snapshot): Promise<Snapshot>;
}

/** The values against which a header is checked. */
export interface HeaderConditions<Snapshot> {
  readonly parent: SealedHeader;
  /** The snapshot after the parent. */
  readonly snapshot: Snapshot;
  /** The latest time that the block may have been made. Units: ms since the epoch */
  readonly latestMs: number;
  /** Whether it is a proposal, which has no committed seals yet. */
  readonly isProposal: boolean;
}

/** Proposer and time of the next block. */
export interface NextBlock {
  readonly proposer: Address;
  readonly timestamp: bigint;
}

/** A block context without what its fork adds. */
export type NextContext = Pick<
  BlockContext,
  'number' | 'timestamp' | 'evmTimestamp' | 'proposer' | 'gasLimit' | 'difficulty' | 'mixHash'
>;

/** Block reward in wei. */
export interface BlockReward {
  readonly beneficiary: Address;
  readonly wei: bigint;
}

/** The state after a block, to read. */
export interface StateAfterBlock {
  readonly executor: Executor;
  readonly block: BlockContext;
  readonly world: WorldState;
}
