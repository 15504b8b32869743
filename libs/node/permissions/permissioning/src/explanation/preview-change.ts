import type { PermissionModel } from '@tetrad/node-permission-contracts';
import { TimeSlices, RequestError, isAddress, parseAddress, type Address } from '@tetrad/types';
import { ACCOUNT_STATUS, NODE_STATUS, ORG_STATUS } from '../records/entries.js';
import type { PermissionRecords } from '../records/permission-records.js';
import type { PermissionPolicy } from '../records/policy.js';
import { ChangedRecords } from './changed-records.js';
import type { ExplainedAction, TransactionKind } from './explanation.js';
import { checkExtension, checkTransaction, type AccountRules } from './check-account.js';
import { checkConnection } from './check-node.js';
import { named } from './names.js';

/** A change of records, named as the method that makes it, without its prefix. */
export const PREVIEWED_CHANGES = [
  'updateOrgStatus',
  'updateAccountStatus',
  'updateNodeStatus',
  'changeAccountRole',
  'assignAdminRole',
  'removeRole',
] as const;
export type PreviewedChange = (typeof PREVIEWED_CHANGES)[number];

/** What an account or a node may do before a change and not after it, or the other way round. */
export interface ChangedPermission {
  readonly subject: 'account' | 'node';
  /** Address, or URL. */
  readonly id: string;
  readonly action: ExplainedAction;
  readonly isAllowed: boolean;
}

export interface ChangePreview {
  /** At most `MAX_PREVIEWED`, accounts first. */
  readonly changes: readonly ChangedPermission[];
  /** How many there are. */
  readonly total: number;
}

/** Longest list in an answer. */
const MAX_PREVIEWED = 1_000;

export interface PreviewParts {
  readonly records: PermissionRecords;
  readonly policy: PermissionPolicy;
  readonly model: PermissionModel;
}

type Change = (records: ChangedRecords, words: readonly string[], policy: PermissionPolicy) => void;

const ACTIONS_OF_ACCOUNTS = ['transfer', 'call', 'deploy', 'extend'] as const;
const STATUS_OF_ORG: Statuses = { 1: ORG_STATUS.suspended, 2: ORG_STATUS.approved };
const STATUS_OF_ACCOUNT: Statuses = {
  1: ACCOUNT_STATUS.suspended,
  2: ACCOUNT_STATUS.active,
  3: ACCOUNT_STATUS.denylisted,
};
const STATUS_OF_NODE: Statuses = {
  1: NODE_STATUS.deactivated,
  2: NODE_STATUS.approved,
  3: NODE_STATUS.denylisted,
};
type Statuses = Readonly<Record<string, number>>;

/**
 * Who loses and who gains what by a change, as if it were made and every vote on it won. The chain is not changed.
 *
 * Cost: checks the accounts that the change concerns, at most those of one organization, in slices of the main thread
 *
 * @param words - parameters of the method in its order, without the transaction
 * @throws RequestError INVALID_QUESTION, which names the word
 */
export async function previewChange(
  parts: PreviewParts,
  change: PreviewedChange,
  words: readonly string[],
): Promise<ChangePreview> {
  const records = new ChangedRecords(parts.records);
  CHANGES[change](records, words, parts.policy);
  const changes: ChangedPermission[] = [];
  const slices = new TimeSlices();
  let total = 0;
  for (const found of differences(parts, { ...parts, records })) {
    total += found.length;
    changes.push(...found.slice(0, MAX_PREVIEWED - changes.length));
    if (slices.isOver()) await slices.pause();
  }
  return { changes, total };
}

const CHANGES: Readonly<Record<PreviewedChange, Change>> = {
  updateOrgStatus(records, [orgId, action]) {
    const org = found(records.org(orgId ?? ''), `organization ${named(orgId)}`);
    records.changedOrg = { ...org, status: statusOf(STATUS_OF_ORG, action) };
  },
  updateAccountStatus(records, [orgId, account, action]) {
    const entry = accountIn(records, orgId, account);
    records.changedAccounts.set(entry.acctId, { ...entry, status: statusOf(STATUS_OF_ACCOUNT, action) });
  },
  updateNodeStatus(records, [orgId, url, action]) {
    const nodes = records.nodesNamed(url ?? '').filter((node) => node.orgId === orgId);
    const node = found(nodes[0], `node ${named(url)} of ${named(orgId)}`);
    records.changedNode = { ...node, status: statusOf(STATUS_OF_NODE, action) };
  },
  changeAccountRole(records, [account, orgId = '', roleId = '']) {
    const acctId = freeAccount(records, orgId, account);
    const { isAdmin: isOrgAdmin } = roleOf(records, orgId, roleId);
    const status = ACCOUNT_STATUS.active;
    records.changedAccounts.set(acctId, { orgId, roleId, acctId, isOrgAdmin, status });
  },
  /** The admin of an organization is replaced; the network has any number of admins. */
  assignAdminRole(records, [orgId = '', account, roleId = ''], policy) {
    found(records.org(orgId), `organization ${named(orgId)}`);
    const acctId = freeAccount(records, orgId, account);
    for (const entry of roleId === policy.orgAdminRole ? records.before.accounts() : [])
      if (entry.orgId === orgId && entry.isOrgAdmin)
        records.changedAccounts.set(entry.acctId, {
          ...entry,
          isOrgAdmin: false,
          status: ACCOUNT_STATUS.revoked,
        });
    const status = ACCOUNT_STATUS.active;
    records.changedAccounts.set(acctId, { orgId, roleId, acctId, isOrgAdmin: true, status });
  },
  removeRole(records, [orgId = '', roleId = '']) {
    records.changedRole = { ...roleOf(records, orgId, roleId), active: false };
  },
};

type Rules = AccountRules & { readonly records: Pick<PermissionRecords, 'nodesNamed'> };

/** Of one account after the other, then of the node. */
function* differences(
  before: Rules,
  after: Rules & { readonly records: ChangedRecords },
): Generator<readonly ChangedPermission[]> {
  for (const id of after.records.accountsConcerned())
    yield ACTIONS_OF_ACCOUNTS.map((action) => ({
      subject: 'account' as const,
      id,
      action,
      isAllowed: mayAct(after, id, action),
    })).filter(({ action, isAllowed }) => isAllowed !== mayAct(before, id, action));
  const id = after.records.changedNode?.url;
  if (id === undefined) return;
  const [was, isAllowed] = [before, after].map(
    ({ records, model }) => checkConnection(records, model, id).isAllowed,
  ) as [boolean, boolean];
  if (was !== isAllowed) yield [{ subject: 'node', id, action: 'connect', isAllowed }];
}

function mayAct(rules: AccountRules, account: Address, action: TransactionKind | 'extend'): boolean {
  const found =
    action === 'extend' ? checkExtension(rules, account) : checkTransaction(rules, account, action);
  return found.isAllowed;
}

/** An account stays in its organization. */
function freeAccount(records: ChangedRecords, orgId: string, account: string | undefined): Address {
  const acctId = addressOf(account);
  const own = records.account(acctId)?.orgId ?? orgId;
  if (own !== orgId) throw invalid(`account ${acctId} belongs to ${named(own)}`);
  return acctId;
}

function accountIn(records: ChangedRecords, orgId: string | undefined, account: string | undefined) {
  const entry = records.account(addressOf(account));
  return found(entry?.orgId === orgId ? entry : undefined, `account ${named(account)} of ${named(orgId)}`);
}

/** As for transactions, a role of the master organization will do. */
function roleOf(records: ChangedRecords, orgId: string, roleId: string) {
  const master = records.org(orgId)?.ultimateParent ?? orgId;
  return found(
    records.role(orgId, roleId) ?? records.role(master, roleId),
    `role ${named(roleId)} of ${named(orgId)}`,
  );
}

function statusOf(statuses: Statuses, action: string | undefined): number {
  const status = action === undefined ? undefined : statuses[action];
  if (status !== undefined) return status;
  throw invalid(`action must be one of ${Object.keys(statuses).join(', ')}`);
}

function addressOf(text: string | undefined): Address {
  if (text === undefined || !isAddress(text))
    throw invalid('account must be an address: 0x and 40 hex digits');
  return parseAddress(text);
}

function found<Entry>(entry: Entry | undefined, what: string): Entry {
  if (entry === undefined) throw invalid(`the network has no ${what}`);
  return entry;
}

function invalid(message: string): RequestError {
  return new RequestError('INVALID_QUESTION', message);
}
