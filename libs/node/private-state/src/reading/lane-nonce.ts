import { laneAccount, type Lane } from '../restricted/lane.js';
import type { PrivateStateView } from './private-state-view.js';

/**
 * The next nonce of the lane: how many of its transactions private state has executed up to the block.
 *
 * Fails: RequestError PRIVATE_STATE_NOT_AVAILABLE
 */
export async function laneNonce(
  view: Pick<PrivateStateView, 'demand' | 'worldAt'>,
  lane: Lane,
  blockNumber: number,
): Promise<bigint> {
  await view.demand(blockNumber);
  const world = await view.worldAt(blockNumber);
  return (await world.findAccount(laneAccount(lane)))?.nonce ?? 0n;
}
