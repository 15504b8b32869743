import type { Outcome } from '../api/call-node.js';

/** How far the private state of a node is. */
export type FollowerState =
  /** It has no manager. */
  | { readonly kind: 'none' }
  | { readonly kind: 'follows' }
  | { readonly kind: 'behind'; readonly blocks: number | undefined; readonly reason: string }
  /** The node does not serve the questions. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * @param head - number of the newest block
 * @param marked - outcome of a question about the transaction behind a marker, which needs a manager
 * @param state - outcome of a question about private state at the head
 */
export function followerStateOf(
  head: number,
  marked: Outcome | undefined,
  state: Outcome | undefined,
): FollowerState {
  if (marked?.kind === 'refused' && marked.reason === 'PRIVACY_NOT_AVAILABLE') return { kind: 'none' };
  // An address that is no private contract is refused by name, once private state is there.
  if (state?.kind === 'done' || state?.reason === 'NOT_A_PRIVATE_CONTRACT') return { kind: 'follows' };
  if (state?.reason !== 'PRIVATE_STATE_NOT_AVAILABLE')
    return { kind: 'unknown', reason: state?.message ?? 'the node left out an answer' };
  const { blockNumber, message } = state;
  const blocks = blockNumber === undefined ? undefined : Math.max(0, head - blockNumber);
  return { kind: 'behind', blocks, reason: message };
}
