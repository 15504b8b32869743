import type { PermissionModel } from '@tetrad/node-permission-contracts';
import { ORG_STATUS } from '../records/entries.js';
import type { PermissionRecords } from '../records/permission-records.js';
import { allowed, refused, type Explanation } from './explanation.js';
import { named } from './names.js';
import { orgRemedy } from './remedies.js';
import { ORG_WORDS, inWords } from './status-words.js';

/** Whether accounts of an organization may transact at all, as far as the organization decides it. */
export function checkOrg(records: PermissionRecords, model: PermissionModel, orgId: string): Explanation {
  const org = records.org(orgId);
  const masterOrg = org && records.org(org.ultimateParent);
  if (org === undefined || masterOrg === undefined) {
    const remedy =
      'a network admin proposes it with chainPermission_addOrg, or an admin of its parent adds it with chainPermission_addSubOrg';
    return refused('ORG_UNKNOWN', { reason: `the network has no organization ${named(orgId)}`, remedy });
  }
  const found = { org, ...(masterOrg !== org && { masterOrg }) };
  for (const one of [org, masterOrg]) {
    if (isActive(one.status, model)) continue;
    const reason = `${named(one.fullOrgId)} is ${inWords(ORG_WORDS, one.status)}`;
    const rule = one === org ? 'ORG_NOT_ACTIVE' : 'MASTER_ORG_NOT_ACTIVE';
    return refused(rule, { reason, remedy: orgRemedy(one) }, found);
  }
  return allowed('ORG_ACTIVE', `${named(org.fullOrgId)} is ${inWords(ORG_WORDS, org.status)}`, found);
}

/** Statuses in which accounts may transact differ between the models (docs/spec/permissions.md#transactions). */
export function isActive(status: number, model: PermissionModel): boolean {
  if (model === 'v1') return status !== ORG_STATUS.suspended;
  return status === ORG_STATUS.approved || status === ORG_STATUS.suspending;
}
