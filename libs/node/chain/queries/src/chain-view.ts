import type { BlockContext, WorldState } from '@tetrad/node-execution';
import type {
  Address,
  Block,
  BlockHeader,
  Hash,
  LogFilter,
  MinedLog,
  RequestError,
  SealedHeader,
} from '@tetrad/types';

/** The blocks of a chain by number and hash. */
export interface BlockView {
  head(): Block;
  /** Undefined for an unknown block. */
  findBlock(reference: number | Hash): Promise<Block | undefined>;
}

/** States of the chain's blocks. */
export interface StateView {
  /** @throws UnknownStateRootError when the state is not kept */
  worldAt(block: SealedHeader): Promise<WorldState>;
  /** Also of a block of which nothing else is here. */
  findHeader(number: number): Promise<SealedHeader | undefined>;
  /** The context of a call on top of the block. */
  contextOf(header: BlockHeader): BlockContext;
}

/** Logs of the chain. */
export interface LogView {
  /**
   * @param most - logs
   * @param maxBytes - of their data
   * @throws LogDataError when there is more
   */
  listLogs(filter: LogFilter, most: number, maxBytes: number): Promise<MinedLog[]>;
}

/** Waiting transactions, on top of the head. */
export interface PendingView {
  open(): Promise<{ readonly world: WorldState; readonly block: BlockContext }>;
}

/** Private state of the node, which follows the chain. */
export interface PrivateView {
  /**
   * The private world if that has the account at the block.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  findWorld(
    address: Address,
    at: {
      readonly blockNumber: number;
      readonly publicWorld: WorldState;
      readonly wanted: 'code' | 'balance';
    },
  ): Promise<WorldState | undefined>;
  isAt(blockNumber: number): boolean;
  /** Waits a bounded time. */
  reaches(blockNumber: number): Promise<boolean>;
  rejection(blockNumber: number): RequestError;
}
