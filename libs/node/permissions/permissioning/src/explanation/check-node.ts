import type { PermissionModel } from '@tetrad/node-permission-contracts';
import { readEnode } from '../operations/enode-url.js';
import { NODE_STATUS, type NodeEntry } from '../records/entries.js';
import { nodeIdIn } from '../records/node-url.js';
import type { PermissionRecords } from '../records/permission-records.js';
import { allowed, refused, type Explanation } from './explanation.js';
import { named } from './names.js';
import { nodeRemedy } from './remedies.js';
import { NODE_WORDS, inWords } from './status-words.js';

/**
 * Which rule lets a node connect, or refuses it, in a network that is set up (docs/spec/permissions.md#connections).
 * @param node - enode URL or node id; the host of a URL counts under the second model, and without one any host is
 *   taken
 */
export function checkConnection(
  records: Pick<PermissionRecords, 'nodesNamed'>,
  model: PermissionModel,
  node: string,
): Explanation {
  const nodes = records.nodesNamed(nodeIdIn(node) ?? node);
  const [first] = nodes;
  if (first === undefined) {
    const remedy = 'an admin of an organization adds it with chainPermission_addNode';
    return refused('NODE_UNKNOWN', { reason: 'the node belongs to no organization', remedy });
  }
  const approved = nodes.filter(({ status }) => status === NODE_STATUS.approved);
  if (approved.length === 0) {
    const reason = `the node is ${inWords(NODE_WORDS, first.status)} in ${named(first.orgId)}`;
    return refused('NODE_NOT_APPROVED', { reason, remedy: nodeRemedy(first) }, { nodes });
  }
  const host = model === 'v2' ? readEnode(node)?.host : undefined;
  if (host !== undefined && !approved.some((entry) => hostOf(entry) === host)) {
    const reason = `the node is approved at ${approved.map((entry) => named(hostOf(entry))).join(', ')}, and not at ${named(host)}`;
    // The contracts keep the entry of a node id forever, with its address.
    const remedy = `the node returns to that address; or it takes a new node key, and an admin of ${named(approved[0]?.orgId)} deactivates the old URL with chainPermission_updateNodeStatus and adds the new one with chainPermission_addNode`;
    return refused('NODE_ADDRESS', { reason, remedy }, { nodes });
  }
  const orgs = approved.map(({ orgId }) => named(orgId)).join(', ');
  return allowed('NODE_APPROVED', `the node is approved for ${orgs}`, { nodes });
}

function hostOf({ url }: NodeEntry): string | undefined {
  return readEnode(url)?.host;
}
