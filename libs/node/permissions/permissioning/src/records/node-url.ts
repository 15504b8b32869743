import type { PermissionModel } from '@tetrad/node-permission-contracts';

/** A node in the form of the contracts of the second model. */
export interface ContractNode {
  /** 128 hex digits. */
  readonly enodeId: string;
  /** IP address; a host name in a raft network with DNS. */
  readonly ip: string;
  readonly port: number;
  /** 0 when the network does not use raft. */
  readonly raftPort: number;
}

const NODE_ID = /[0-9a-f]{128}/i;
const WHOLE_NODE_ID = /^[0-9a-f]{128}$/;

/** The URL of the node in responses to clients; with the raft port only where consensus is raft. */
export function contractNodeUrl({ enodeId, ip, port, raftPort }: ContractNode, isRaft: boolean): string {
  const host = ip.includes(':') && !ip.startsWith('[') ? `[${ip}]` : ip;
  return `enode://${enodeId}@${host}:${port}?discport=0${isRaft ? `&raftport=${raftPort}` : ''}`;
}

/** The node id in the URL, lower case; undefined without one. Contracts of the first model store any text. */
export function nodeIdIn(url: string): string | undefined {
  return NODE_ID.exec(url)?.[0].toLowerCase();
}

/**
 * Whether a node of the contracts can be one that connects. The second model compares ids as texts, so another spelling is
 * another entry, which any organization may add: it must not count as the node that it resembles.
 */
export function isNodeNamed({ enodeId }: Pick<ContractNode, 'enodeId'>, model: PermissionModel): boolean {
  return model === 'v1' || WHOLE_NODE_ID.test(enodeId);
}

/** The URL of a node as entries and events have it: the first model keeps it whole where the second has the node id. */
export function nodeUrlOf(
  node: ContractNode,
  { model, isRaft }: { readonly model: PermissionModel; readonly isRaft: boolean },
): string {
  return model === 'v1' ? node.enodeId : contractNodeUrl(node, isRaft);
}
