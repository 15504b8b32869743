import { isForbiddenMember, type PermissionView } from '@tetrad/node-permissioning';
import { RequestError, type Logger } from '@tetrad/types';
import type { RaftOrdering } from '../ordering/ordering.js';

export interface ForbiddenMembersParts {
  readonly view: Pick<PermissionView, 'hasCaughtUp' | 'isEnforced' | 'records'>;
  readonly raft: RaftOrdering;
  /** Node id of this node, 128 hex digits. */
  readonly nodeId: string;
  readonly logger: Logger;
}

/**
 * Removes members that the permissions have deactivated or denied, as every other node of GoQuorum proposes (docs/spec/raft.md,
 * "Membership"); only the first proposal has an effect. It does nothing while one such removal is under way.
 */
export function forbiddenMembers(parts: ForbiddenMembersParts): () => Promise<void> {
  const { view, raft, nodeId, logger } = parts;
  let isBusy = false;
  return async () => {
    if (isBusy || !view.isEnforced || !view.hasCaughtUp) return;
    const gone = raft
      .state()
      .view.members()
      .filter((member) => member.nodeId !== nodeId && isForbiddenMember(view.records, member.nodeId));
    isBusy = true;
    try {
      for (const member of gone) {
        await raft.membership.remove(member.raftId);
        logger.warn('a node that is no longer permitted was removed from the raft cluster', {
          raftId: member.raftId,
          nodeId: member.nodeId,
        });
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      // Another node does it, or this one with a later block.
      logger.debug('a node that is no longer permitted is still in the raft cluster', { error });
    } finally {
      isBusy = false;
    }
  };
}
