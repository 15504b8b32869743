import { permissionViews } from '@tetrad/node-permission-contracts';
import type { Address } from '@tetrad/types';
import { accessOf } from '../records/access.js';
import { ACCOUNT_STATUS } from '../records/entries.js';
import { PermissionRecords } from '../records/permission-records.js';
import type { PermissionPolicy } from '../records/policy.js';
import type { ContractState } from './contract-state.js';

/**
 * The access of an account under the first model by the contracts in one state: the same on every node that has the state,
 * independent of its records.
 * @throws as reads of the state do
 */
export async function readAccess(
  state: ContractState,
  policy: PermissionPolicy,
  account: Address,
): Promise<number> {
  const views = permissionViews('v1');
  const records = new PermissionRecords();
  const entry = await state.ask(views.accountNamed, account);
  if (entry?.status === ACCOUNT_STATUS.active) {
    records.putAccount({ ...entry, acctId: account });
    const org = await state.ask(views.orgNamed, entry.orgId);
    const orgIds = new Set(org === undefined ? [entry.orgId] : [entry.orgId, org.ultimateParent]);
    for (const orgId of orgIds) {
      const owner = orgId === entry.orgId ? org : await state.ask(views.orgNamed, orgId);
      if (owner !== undefined) records.putOrg(owner);
      const role = await state.ask(views.roleNamed, entry.roleId, orgId);
      if (role !== undefined) records.putRole(role);
    }
  }
  return accessOf(records, policy, account);
}
