import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { MAX_RAFT_ID, type Member } from '@tetrad/node-consensus-raft';
import { nodeIdFromBytes, type Enode } from '@tetrad/node-peer';
import { OperatorError } from '@tetrad/types';

/**
 * The members of a network that has no log yet: its static nodes, whose position is their raft id, counted from 1. So every
 * node must be given the same list in the same order (raft.md, section A2).
 *
 * Out:   none when this node is not in the list: it is added later
 * Fails: OperatorError in the words of GoQuorum for one without a raft port
 */
export function firstMembers(
  nodes: readonly { readonly url: string; readonly enode: Enode }[],
  nodeKey: Uint8Array,
): readonly Member[] {
  const own = nodeIdFromBytes(publicKeyFromPrivateKey(nodeKey));
  if (!nodes.some(({ enode }) => enode.nodeId === own)) return [];
  if (nodes.length > MAX_RAFT_ID) throw new OperatorError(`more than ${MAX_RAFT_ID} static nodes`);
  return nodes.map(({ url, enode: { nodeId, host, port, raftport } }, index) => {
    if (raftport === undefined)
      throw new OperatorError(
        `raftport querystring parameter not specified in static-node enode ID: ${url}. please check your static-nodes.json file.`,
      );
    const [raftId, hostname] = [index + 1, host];
    return { raftId, nodeId, hostname, p2pPort: port, raftPort: raftport, kind: 'voter' };
  });
}
