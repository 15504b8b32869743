import type { Executor, Genesis, MayTransact, WorldState } from '@tetrad/node-execution';
import type { PoolJournal } from '@tetrad/node-store';
import type { Block, BlockHeader, Clock } from '@tetrad/types';

/** The chain as the pool reads it: its head, and the state there. */
export interface PoolChain {
  readonly genesis: Pick<Genesis, 'chainId'>;
  readonly executor: Pick<Executor, 'rules'>;
  readonly clock: Clock;
  /** Restricts which senders may transact; without it all may. */
  readonly mayTransact?: MayTransact | undefined;
  head(): Block;
  /** The time of a header. Units: seconds since the epoch */
  secondsOf(header: BlockHeader): number;
  /** The state after the block, to read. */
  worldAt(block: Block): Promise<WorldState>;
  /** Calls the listener after each new head. */
  onBlock(listener: (block: Block) => void): unknown;
}

/** Where accepted transactions are kept until they are mined. */
export type Journal = Pick<PoolJournal, 'append' | 'load' | 'remove'>;
