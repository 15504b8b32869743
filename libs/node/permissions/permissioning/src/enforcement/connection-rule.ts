import type { ConnectionRequest, IsAllowed, NodeId } from '@tetrad/node-peer';
import type { PermissionView } from '../following/permission-view.js';
import type { NodeLists } from '../node-lists/node-lists.js';
import { isNodeApproved } from '../records/access.js';
import { NODE_STATUS } from '../records/entries.js';
import type { PermissionRecords } from '../records/permission-records.js';

export interface ConnectionRuleParts {
  readonly view: Pick<PermissionView, 'model' | 'records' | 'isEnforced' | 'hasCaughtUp'>;
  readonly lists: Pick<NodeLists, 'allows'>;
}

/**
 * The rule for connections on a network with contracts (docs/spec/permissions.md#connections). While the node catches up, nodes in
 * the files are allowed as well as those in the records: the peers that it needs blocks from may be approved in those blocks.
 */
export function connectionRule({ view, lists }: ConnectionRuleParts): IsAllowed {
  const byRecords: IsAllowed = view.model === 'v1' ? firstModel(view.records) : secondModel(view.records);
  return (request) => {
    const isOn = view.isEnforced && (view.model === 'v2' || view.records.networkBoot);
    if (!isOn) return lists.allows(request.nodeId);
    return byRecords(request) || (!view.hasCaughtUp && lists.allows(request.nodeId));
  };
}

function firstModel(records: PermissionRecords): IsAllowed {
  return ({ nodeId }) => isNodeApproved(records, nodeId);
}

/** As `connectionAllowed` of the contracts: compares the host as it is stored, and ignores the port. */
function secondModel(records: PermissionRecords): IsAllowed {
  return ({ nodeId, host }) =>
    !records.networkBoot ||
    records
      .nodesNamed(nodeId)
      .some(({ status, url }) => status === NODE_STATUS.approved && hostIn(url) === host);
}

const HOST = /^enode:\/\/[0-9a-f]{128}@(?:\[([^\]]*)\]|([^:/?#]*)):/i;

/** The host of a URL in the form of `contractNodeUrl`. */
function hostIn(url: string): string | undefined {
  const found = HOST.exec(url);
  return found?.[1] ?? found?.[2];
}

/** The log message for a refused connection, as in GoQuorum. */
export function connectionRejection(own: NodeId, { nodeId, direction }: ConnectionRequest): string {
  const way = direction === 'inbound' ? 'INCOMING' : 'OUTGOING';
  return `permission denied: id=${ends(own)} ${way} id=${ends(nodeId)}`;
}

function ends(nodeId: NodeId): string {
  return `${nodeId.slice(0, 4)}…${nodeId.slice(-4)}`;
}
