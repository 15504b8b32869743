import { isIP } from 'node:net';
import { NO_NODE, type PermissionNode } from '@tetrad/node-permission-contracts';
import { EnodeError, parseEnode, type Enode } from '@tetrad/node-peer';
import type { NodeNaming } from './action.js';

/** The node that the URL names; undefined when it is none. */
export function readEnode(url: string): Enode | undefined {
  try {
    return parseEnode(url);
  } catch (error) {
    if (error instanceof EnodeError) return undefined;
    throw error;
  }
}

/**
 * Whether the contracts can compare the host of the node with that of a connection (docs/adr/0066): the first model
 * compares none, the second only addresses, and names where raft resolves them.
 */
export function isHostUsable({ host }: Enode, { model, isRaft, raftHostNames }: NodeNaming): boolean {
  if (isIP(host) !== 0) return true;
  return isRaft ? raftHostNames : model === 'v1';
}

/** The node as both models name it; `NO_NODE` for an empty URL, which the checks have let through. */
export function contractNode(url: string, { isRaft }: NodeNaming): PermissionNode {
  const enode = readEnode(url);
  if (enode === undefined) return { ...NO_NODE, url };
  const { nodeId, host, port, raftport = 0 } = enode;
  // Without raft its port is not in the URLs that the contracts' nodes are listed under, so it must not be theirs either.
  return { url, enodeId: nodeId, ip: host, port, raftPort: isRaft ? raftport : 0 };
}
