import type { PermissionModel } from '@tetrad/node-permission-contracts';
import type { Address } from '@tetrad/types';
import { isAdminAccount, maySendThrough, type AccessRecords } from '../records/access.js';
import { ACCOUNT_STATUS, type AccountEntry, type OrgEntry, type RoleEntry } from '../records/entries.js';
import { MAX_RECORD_TEXT, type PermissionRecords } from '../records/permission-records.js';
import { isAdminRole, type PermissionPolicy } from '../records/policy.js';
import { accessPermits, permittingValues } from './access-values.js';
import {
  allowed,
  refused,
  type ExplainedRecords,
  type Explanation,
  type TransactionKind,
} from './explanation.js';
import { isActive } from './check-org.js';
import { named } from './names.js';
import { accountRemedy, adminRemedy, enrolRemedy, orgRemedy, roleRemedy } from './remedies.js';
import { ACCOUNT_WORDS, ORG_WORDS, inWords } from './status-words.js';

/** What decisions about accounts are made of. */
export interface AccountRules {
  readonly records: AccessRecords;
  readonly policy: PermissionPolicy;
  readonly model: PermissionModel;
}

/** Which rule lets an account send a kind of transaction, or refuses it, in a network that is set up. */
export function checkTransaction(rules: AccountRules, sender: Address, kind: TransactionKind): Explanation {
  const standing = checkStanding(rules, sender);
  if ('rule' in standing) return standing;
  const { account } = standing;
  if (isAdminRole(rules.policy, account.roleId))
    return allowed(
      'ADMIN_ROLE',
      `${named(account.roleId)} is a role of admins, which may do everything`,
      standing,
    );
  const role = roleInUse(rules, account);
  if (role === undefined) return unknownRole(account, kind, { rules, standing });
  const found = { ...standing, role };
  const says = `the role ${named(role.roleId)} of ${named(role.orgId)} has access ${role.access}`;
  if (accessPermits(role.access, kind, rules.model))
    return allowed('ROLE_ACCESS', `${says}, which permits a ${kind}`, found);
  const remedy = roleRemedy(account, permittingValues(kind, rules.model));
  return refused('ROLE_ACCESS', { reason: `${says}, which does not permit a ${kind}`, remedy }, found);
}

/** Which rule lets an account begin or accept the extension of a contract (section 14). */
export function checkExtension(rules: AccountRules, account: Address): Explanation {
  const standing = checkStanding({ ...rules, model: 'v1' }, account);
  if ('rule' in standing) return standing;
  if (isAdminAccount(rules.records, rules.policy, account))
    return allowed(
      'ADMIN_ROLE',
      `the account is an admin by its role ${named(standing.account.roleId)}`,
      standing,
    );
  const reason = `the role ${named(standing.account.roleId)} is not one of admins`;
  return refused('NOT_AN_ADMIN', { reason, remedy: adminRemedy(rules.policy) }, standing);
}

/** Which rule keeps an account from sending through a node; undefined when none does. */
export function checkSubmission(
  records: PermissionRecords,
  sender: Address,
  nodeId: string,
): Explanation | undefined {
  if (maySendThrough(records, sender, nodeId)) return undefined;
  const account = records.account(sender);
  const nodes = records.nodesNamed(nodeId);
  const master = account && (records.org(account.orgId)?.ultimateParent ?? account.orgId);
  const reason = `the account belongs to ${named(account?.orgId)}, and this node is not approved for ${named(master)} or an organization below it`;
  const remedy = `the account sends through an approved node of ${named(master)}, or an admin of ${named(master)} adds this node with chainPermission_addNode`;
  return refused('NODE_OF_OTHER_ORG', { reason, remedy }, { ...(account && { account }), nodes });
}

type Standing = ExplainedRecords & { readonly account: AccountEntry; readonly org: OrgEntry };

/** The account and its organizations when all are active; otherwise the refusal. */
function checkStanding({ records, model }: AccountRules, sender: Address): Standing | Explanation {
  const account = records.account(sender);
  if (account === undefined) {
    const reason = `the account ${sender} belongs to no organization`;
    return refused('ACCOUNT_UNKNOWN', { reason, remedy: enrolRemedy(sender) });
  }
  if (account.status !== ACCOUNT_STATUS.active) {
    const reason = `the account is ${inWords(ACCOUNT_WORDS, account.status)} in ${named(account.orgId)}`;
    return refused('ACCOUNT_NOT_ACTIVE', { reason, remedy: accountRemedy(account) }, { account });
  }
  const org = records.org(account.orgId);
  const masterOrg = org && records.org(org.ultimateParent);
  if (org === undefined || masterOrg === undefined) {
    const reason = `the organization ${named(org === undefined ? account.orgId : org.ultimateParent)} is not in the records`;
    const remedy = `the records leave it out while it has as many entries as one organization may have, or an id of more than ${MAX_RECORD_TEXT} characters`;
    return refused('ORG_UNKNOWN', { reason, remedy }, { account, ...(org && { org }) });
  }
  const found = { account, org, ...(masterOrg !== org && { masterOrg }) };
  for (const one of [org, masterOrg])
    if (!isActive(one.status, model)) return inactiveOrg(one, one === org, found);
  return found;
}

function inactiveOrg(org: OrgEntry, isOwn: boolean, found: ExplainedRecords): Explanation {
  const what = isOwn ? 'the organization' : 'the master organization';
  const reason = `${what} ${named(org.fullOrgId)} is ${inWords(ORG_WORDS, org.status)}`;
  return refused(
    isOwn ? 'ORG_NOT_ACTIVE' : 'MASTER_ORG_NOT_ACTIVE',
    { reason, remedy: orgRemedy(org) },
    found,
  );
}

/** Of the account's organization, or of its master; contracts of the second model use a removed role as well. */
function roleInUse({ records, model }: AccountRules, { orgId, roleId }: AccountEntry): RoleEntry | undefined {
  const master = records.org(orgId)?.ultimateParent ?? orgId;
  return [orgId, master]
    .map((owner) => records.role(owner, roleId))
    .find((role) => role !== undefined && (role.active || model === 'v2'));
}

function unknownRole(
  account: AccountEntry,
  kind: TransactionKind,
  { rules, standing }: { readonly rules: AccountRules; readonly standing: Standing },
): Explanation {
  const reason = `the role ${named(account.roleId)} exists in neither ${named(account.orgId)} nor its master organization`;
  const remedy = roleRemedy(account, permittingValues(kind, rules.model));
  return refused('ROLE_UNKNOWN', { reason, remedy }, standing);
}
