import type { Enode, PeerNetwork } from '@tetrad/node-peer';
import { pause, systemClock, type Logger } from '@tetrad/types';
import type { NodeConfig } from '../options/config.js';
import type { PrivateBeginning } from './begin-private-state.js';

/** Time for the static nodes to connect. Units: ms */
const ANSWER_MS = 5_000;
/** How often it is looked whether they have. */
const LOOK_MS = 50;

/** What a node of `--sync auto` knows before it begins. */
export interface SyncChoiceParts {
  readonly peers: PeerNetwork;
  readonly staticNodes: readonly Enode[];
  /** The transaction manager, where there is one. */
  readonly beginning: Pick<PrivateBeginning, 'reasonAgainst'> | undefined;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Why the past is executed, as far as options tell.
 * @returns undefined where that depends on peers
 */
export function reasonToExecute(
  { addressIndex, raftRestoreLog }: Pick<NodeConfig, 'addressIndex' | 'raftRestoreLog'>,
  staticNodes: readonly Enode[],
): string | undefined {
  if (staticNodes.length === 0) return 'no peers are configured';
  if (addressIndex) return '--address-index: the index needs calls between contracts of all blocks';
  return raftRestoreLog ? '--raft-restore-log: blocks of the past are to be put into the log' : undefined;
}

/**
 * Whether a state is taken in place of executing the past: when static nodes are far ahead, and nothing private can be lost. When in doubt
 * it is not.
 */
export async function isStateTaken(
  { syncStateBeyond }: Pick<NodeConfig, 'syncStateBeyond'>,
  { peers, staticNodes, beginning, logger, signal }: SyncChoiceParts,
): Promise<boolean> {
  const blocks = await usualHead(peers, staticNodes, signal);
  if (blocks <= syncStateBeyond) return false;
  const reason = await beginning?.reasonAgainst();
  if (reason !== undefined) {
    logger.warn('every block is executed, since private transactions of the past may be of this node', {
      blocks,
      reason,
    });
    return false;
  }
  logger.info('the past is left out, since it is long; --sync full executes it', {
    blocks,
    beyond: syncStateBeyond,
  });
  return true;
}

/** The head in the middle of those that static nodes announce: one alone decides nothing. 0 without any. */
async function usualHead(
  peers: PeerNetwork,
  staticNodes: readonly Enode[],
  signal: AbortSignal,
): Promise<number> {
  const untilMs = systemClock.now() + ANSWER_MS;
  while (!peers.isSettled() && systemClock.now() < untilMs && !signal.aborted)
    await pause(systemClock, LOOK_MS, signal);
  signal.throwIfAborted();
  const ids = new Set(staticNodes.map(({ nodeId }) => nodeId));
  const heads = peers.states
    .sources()
    .filter(({ nodeId }) => ids.has(nodeId))
    .map(({ head }) => head?.number ?? 0)
    .sort((one, other) => one - other);
  return heads[Math.floor(heads.length / 2)] ?? 0;
}
