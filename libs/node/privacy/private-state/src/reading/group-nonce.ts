import { groupNonceAccount, type GroupSender } from '../restricted/group-sender.js';
import type { PrivateStateView } from './private-state-view.js';

/**
 * The next nonce of the sender in the group: the number of its transactions that private state has executed up to the block.
 * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
 */
export async function groupNonce(
  view: Pick<PrivateStateView, 'demand' | 'worldAt'>,
  sender: GroupSender,
  blockNumber: number,
): Promise<bigint> {
  await view.demand(blockNumber);
  const world = await view.worldAt(blockNumber);
  return (await world.findAccount(groupNonceAccount(sender)))?.nonce ?? 0n;
}
