import type { raftMethods } from '@tetrad/api-node';
import { clusterOf, leaderOf, noLeader, roleOf } from '@tetrad/node-consensus-raft';
import type { Handlers } from '@tetrad/rpc';
import { RequestError } from '@tetrad/types';
import type { RaftOrdering } from '../ordering/ordering.js';
import type { NodeParts } from './node-parts.js';

/** The members of the cluster that orders blocks, and their roles (docs/spec/raft.md, "Membership"). */
export function raftHandlers({
  ordering,
  identity,
}: Pick<NodeParts, 'identity' | 'ordering'>): Handlers<typeof raftMethods> {
  const { nodeId } = identity;
  const raft = () => assertRaft(ordering?.raft);
  return {
    raft_addLearner: ([enodeId]) => raft().membership.add(enodeId, 'learner'),
    raft_addPeer: ([enodeId]) => raft().membership.add(enodeId, 'voter'),
    raft_cluster: () =>
      clusterOf(raft().state(), nodeId).map((node) => ({ ...node, hostName: node.hostname })),
    raft_leader() {
      const leader = leaderOf(raft().state());
      if (leader === undefined) throw noLeader();
      return leader;
    },
    async raft_promoteToPeer([raftId]) {
      await raft().membership.promote(raftId);
      return true;
    },
    async raft_removePeer([raftId]) {
      await raft().membership.remove(raftId);
      return null;
    },
    raft_role: () => roleOf(raft().state(), nodeId),
  };
}

function assertRaft(raft: RaftOrdering | undefined): RaftOrdering {
  if (raft !== undefined) return raft;
  throw new RequestError('RAFT_NOT_AVAILABLE', 'the chain is not ordered by raft');
}
