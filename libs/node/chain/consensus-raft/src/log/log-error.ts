import { TetradError } from '@tetrad/types';

/**
 * Why a node must not follow the log in its current state; it waits for its operator:
 *
 *   behind    the chain has blocks that the log lacks: etcd was restored from an older snapshot
 *   forked    the log has another block where the chain has one
 *   foreign   another writer changed keys below the prefix of the chain
 *   pruned    required blocks are no longer in the log
 *   invalid   the log has a block that is not valid
 */
export type LogConflict = 'behind' | 'forked' | 'foreign' | 'pruned' | 'invalid';

export class LogError extends TetradError {
  override readonly name = 'LogError';
  override readonly code = 'RAFT_LOG';

  constructor(
    readonly conflict: LogConflict,
    message: string,
    /** Where blocks below it are missing in the log, so that they come from members: the first that it has, or will have. */
    readonly firstBlock?: number,
  ) {
    super(message);
  }
}
