import { isIP } from 'node:net';
import { NO_NODE, type PermissionNode } from '@tetrad/node-permission-contracts';
import { EnodeError, parseEnode, type Enode } from '@tetrad/node-peer';
import type { NodeNaming } from './action.js';

/** The node of an enode URL; undefined when the URL is invalid. */
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

/** The node in the form of both models; `NO_NODE` for an empty URL, which the checks accept. */
export function contractNode(url: string, { isRaft }: NodeNaming): PermissionNode {
  const enode = readEnode(url);
  if (enode === undefined) return { ...NO_NODE, url };
  const { nodeId, host, port, raftport = 0 } = enode;
  // Without raft the listed URLs have no raft port, so the contracts must not store one either.
  return { url, enodeId: nodeId, ip: host, port, raftPort: isRaft ? raftport : 0 };
}
