import { MAX_RAFT_ID, type Member } from '@tetrad/node-consensus-raft';
import { formatEnode, type Enode, type NodeId } from '@tetrad/node-peer';
import { OperatorError } from '@tetrad/types';

/**
 * The members of a network without a log: its static nodes, whose position is their raft id, counted from 1. So every
 * node must have the same list in the same order (docs/spec/raft.md, "Configuration").
 * @returns empty when this node is not in the list: it is added later
 * @throws OperatorError in the words of GoQuorum for one without a raft port
 */
export function firstMembers(nodes: readonly Enode[], own: NodeId): readonly Member[] {
  if (!nodes.some(({ nodeId }) => nodeId === own)) return [];
  if (nodes.length > MAX_RAFT_ID) throw new OperatorError(`more than ${MAX_RAFT_ID} static nodes`);
  return nodes.map((enode, index) => {
    const { nodeId, host, port, raftport } = enode;
    if (raftport === undefined)
      throw new OperatorError(
        `raftport querystring parameter not specified in static-node enode ID: ${formatEnode(enode)}. please check your static-nodes.json file.`,
      );
    const [raftId, hostname] = [index + 1, host];
    return { raftId, nodeId, hostname, p2pPort: port, raftPort: raftport, kind: 'voter' };
  });
}
