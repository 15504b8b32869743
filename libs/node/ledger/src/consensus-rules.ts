import type { BlockContext, Executor, WorldState } from '@tetrad/node-execution';
import type { JoinedRows, LedgerStore } from '@tetrad/node-store';
import type { Address, BlockHeader, Hash, SealedHeader } from '@tetrad/types';

/**
 * The rules of consensus of one chain, as the ledger asks them; an engine implements them beside itself, and the node
 * picks an implementation by the genesis file.
 *
 * `Snapshot` is what the rules know after a block besides its header, such as the validators and their open votes. The
 * ledger carries it from block to block and does not look into it; values are shared, never changed.
 */
export interface ConsensusRules<Snapshot = unknown> {
  /** Difficulty of every block but the first. */
  readonly difficulty: bigint;

  /** The hash of a header, which may leave out what is added after the block was proposed. */
  hashHeader(header: BlockHeader): Hash;
  /** The proposer of the block; for block 0, which has none, the beneficiary. */
  proposerOf(header: BlockHeader): Address;
  /** The EVM's COINBASE in the block, which is paid for gas. */
  coinbaseOf(header: BlockHeader): Address;
  /** When the block was made, by its header. Units: ms since the epoch */
  timeMsOf(header: Pick<BlockHeader, 'timestamp'>): number;
  /** The timestamp of a block that is made at the time. Units: ms since the epoch */
  timestampAt(timeMs: number): bigint;
  /** By how much the timestamp of a simulated block that names no time is above its parent's. */
  timestampStep(blockNumber: number): bigint;

  /**
   * Checks what a header says by itself, of its parent and of those who made it. Hash and fork fields are checked by the
   * ledger, and the commitments once the block is executed.
   *
   * Fails: InvalidBlockError with the rule broken
   */
  assertHeader(block: SealedHeader, judgement: HeaderJudgement<Snapshot>): void;

  /** What is fixed of the block after the parent before its first transaction runs. */
  nextContext(parent: BlockHeader, next: NextBlock): NextContext;
  /** Wei that come into being with a block; undefined on chains without. */
  rewardOf(block: Pick<BlockContext, 'number' | 'proposer'>): BlockReward | undefined;
  /** The validators that the state after a block names; undefined where the state names none. */
  namedValidators(after: StateAfterBlock): Promise<readonly Address[] | undefined>;

  /** What the genesis file must say besides its form. Fails: GenesisError or InvalidBlockError naming the field */
  assertGenesis(): void;
  /** The snapshot after block 0. Fails: GenesisError or InvalidBlockError when block 1 could not be made */
  genesisSnapshot(header: BlockHeader, named: readonly Address[] | undefined): Snapshot;
  /**
   * The snapshot after the next block.
   *
   * In:    named — what `namedValidators` said after that block
   * Fails: InvalidBlockError when the block cannot follow
   */
  snapshotAfter(before: Snapshot, header: BlockHeader, named: readonly Address[] | undefined): Snapshot;
  /** The same from the header alone; undefined where it depends on the state after the block. */
  foreseeSnapshot(before: Snapshot, header: BlockHeader): Snapshot | undefined;
  isSameSnapshot(one: Snapshot, other: Snapshot): boolean;
  /** What a block writes for its snapshot, in its own transaction. In: before — undefined for block 0 */
  snapshotRows(before: Snapshot | undefined, after: Snapshot): JoinedRows[];
  /** The snapshot after a stored block; undefined when there is none. */
  findSnapshot(store: LedgerStore, blockNumber: number): Promise<Snapshot | undefined>;
  /** Makes up for a chain whose blocks were stored without snapshots. Out: that of the head */
  adoptChain(store: LedgerStore, headNumber: number, genesis: Snapshot): Promise<Snapshot>;
}

/** By what a header is judged. */
export interface HeaderJudgement<Snapshot> {
  readonly parent: SealedHeader;
  /** The snapshot after the parent. */
  readonly snapshot: Snapshot;
  /** The latest time that the block may have been made. Units: ms since the epoch */
  readonly latestMs: number;
  /** Whether it is a proposal, which has no committed seals yet. */
  readonly isProposal: boolean;
}

/** Who would make a block, and what time its header would have. */
export interface NextBlock {
  readonly proposer: Address;
  readonly timestamp: bigint;
}

/** A block context without what its fork adds. */
export type NextContext = Pick<
  BlockContext,
  'number' | 'timestamp' | 'evmTimestamp' | 'proposer' | 'gasLimit' | 'difficulty' | 'mixHash'
>;

/** Wei that come into being with a block. */
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
