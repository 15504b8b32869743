import { addressNamed } from '../abi/known-names.js';
import { idInAddress } from '../permissions/permission-ids.js';
import { callNode } from './call-node.js';
import { orgsSchema } from './permission-shapes.js';

/** Where a hash leads: to a transaction or a block; undefined when the node knows neither. */
export async function pathOfHash(node: string, hash: string): Promise<string | undefined> {
  const [transaction, block] = await callNode(node, [
    { method: 'eth_getTransactionByHash', params: [hash] },
    { method: 'eth_getBlockByHash', params: [hash, false] },
  ]);
  if (transaction?.kind === 'done' && transaction.value !== null) return `/transactions/${hash}`;
  return block?.kind === 'done' && block.value !== null ? `/blocks/${hash}` : undefined;
}

/**
 * Where a name leads: to the account of a node, of a label or of a contract, or to an organization; undefined where none has it.
 * @param names - of addresses
 * @param node - that is asked for organizations
 * @param name - in any letter case for an address; an organization's whole id, which tells cases apart
 */
export async function pathOfName(
  names: ReadonlyMap<string, string>,
  node: string,
  name: string,
): Promise<string | undefined> {
  const named = addressNamed(names, name);
  if (named !== undefined) return `/accounts/${named}`;
  const [list] = await callNode(node, [{ method: 'chainPermission_orgList', params: [] }]);
  const orgs = list?.kind === 'done' ? orgsSchema.parse(list.value) : [];
  const org = orgs.find(({ fullOrgId }) => fullOrgId === name);
  return org && `/permissions?org=${idInAddress(org.fullOrgId)}`;
}
