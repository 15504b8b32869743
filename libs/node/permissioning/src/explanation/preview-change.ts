import type { PermissionModel } from '@tetrad/node-permission-contracts';
import { RequestError, isAddress, parseAddress, type Address } from '@tetrad/types';
import { ACCOUNT_STATUS, NODE_STATUS, ORG_STATUS } from '../records/entries.js';
import { PermissionRecords } from '../records/permission-records.js';
import type { PermissionPolicy } from '../records/policy.js';
import type { ExplainedAction } from './explanation.js';
import { judgeExtension, judgeTransaction } from './judge-account.js';
import { judgeConnection } from './judge-node.js';

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
export const MAX_PREVIEWED = 1_000;

export interface PreviewParts {
  readonly records: PermissionRecords;
  readonly policy: PermissionPolicy;
  readonly model: PermissionModel;
}

type Change = (parts: PreviewParts, words: readonly string[]) => void;

const ACTIONS_OF_ACCOUNTS = ['transfer', 'call', 'deploy'] as const;
const STATUS_OF_ORG: Statuses = { 1: ORG_STATUS.suspended, 2: ORG_STATUS.approved };
const STATUS_OF_ACCOUNT: Statuses = {
  ...{ 1: ACCOUNT_STATUS.suspended, 2: ACCOUNT_STATUS.active, 3: ACCOUNT_STATUS.denylisted },
};
const STATUS_OF_NODE: Statuses = {
  ...{ 1: NODE_STATUS.deactivated, 2: NODE_STATUS.approved, 3: NODE_STATUS.denylisted },
};
type Statuses = Readonly<Record<string, number>>;

/**
 * Who loses and who gains what by a change, as if it were made and every vote on it won. The chain is not changed.
 *
 * In:    words — parameters of the method in its order, without the transaction
 * Fails: RequestError INVALID_QUESTION, which names the word
 */
export function previewChange(
  parts: PreviewParts,
  change: PreviewedChange,
  words: readonly string[],
): ChangePreview {
  const after = { ...parts, records: copyOf(parts.records) };
  CHANGES[change](after, words);
  const changes: ChangedPermission[] = [];
  let total = 0;
  for (const one of differences(parts, after)) {
    total += 1;
    if (changes.length < MAX_PREVIEWED) changes.push(one);
  }
  return { changes, total };
}

const CHANGES: Readonly<Record<PreviewedChange, Change>> = {
  updateOrgStatus({ records }, [orgId, action]) {
    const org = found(records.org(orgId ?? ''), `organization ${orgId}`);
    records.putOrg({ ...org, status: statusOf(STATUS_OF_ORG, action) });
  },
  updateAccountStatus({ records }, [orgId, account, action]) {
    const entry = accountIn(records, orgId, account);
    records.putAccount({ ...entry, status: statusOf(STATUS_OF_ACCOUNT, action) });
  },
  updateNodeStatus({ records }, [orgId, url, action]) {
    const nodes = records.nodesNamed(url ?? '').filter((node) => node.orgId === orgId);
    const node = found(nodes[0], `node ${url} of ${orgId}`);
    records.putNode({ ...node, status: statusOf(STATUS_OF_NODE, action) });
  },
  changeAccountRole({ records }, [account, orgId, roleId = '']) {
    const role = roleOf(records, orgId ?? '', roleId);
    const acctId = addressOf(account);
    const status = ACCOUNT_STATUS.active;
    records.putAccount({ orgId: orgId ?? '', roleId, acctId, isOrgAdmin: role.isAdmin, status });
  },
  /** The admin of an organization is replaced; the network has any number of admins. */
  assignAdminRole({ records, policy }, [orgId = '', account, roleId = '']) {
    found(records.org(orgId), `organization ${orgId}`);
    for (const entry of roleId === policy.orgAdminRole ? records.accounts() : [])
      if (entry.orgId === orgId && entry.isOrgAdmin)
        records.putAccount({ ...entry, isOrgAdmin: false, status: ACCOUNT_STATUS.revoked });
    const acctId = addressOf(account);
    records.putAccount({ orgId, roleId, acctId, isOrgAdmin: true, status: ACCOUNT_STATUS.active });
  },
  removeRole({ records }, [orgId = '', roleId = '']) {
    records.putRole({ ...roleOf(records, orgId, roleId), active: false });
  },
};

function* differences(before: PreviewParts, after: PreviewParts): Generator<ChangedPermission> {
  for (const { acctId } of after.records.accounts()) {
    for (const action of ACTIONS_OF_ACCOUNTS) {
      const isAllowed = judgeTransaction(after, acctId, action).isAllowed;
      if (isAllowed !== judgeTransaction(before, acctId, action).isAllowed)
        yield { subject: 'account', id: acctId, action, isAllowed };
    }
    const mayExtend = judgeExtension(after, acctId).isAllowed;
    if (mayExtend !== judgeExtension(before, acctId).isAllowed)
      yield { subject: 'account', id: acctId, action: 'extend', isAllowed: mayExtend };
  }
  for (const { url } of after.records.nodes()) {
    const isAllowed = judgeConnection(after.records, after.model, url).isAllowed;
    if (isAllowed !== judgeConnection(before.records, before.model, url).isAllowed)
      yield { subject: 'node', id: url, action: 'connect', isAllowed };
  }
}

function copyOf(records: PermissionRecords): PermissionRecords {
  const copy = new PermissionRecords();
  for (const org of records.orgs()) copy.putOrg(org);
  for (const role of records.roles()) copy.putRole(role);
  for (const node of records.nodes()) copy.putNode(node);
  for (const account of records.accounts()) copy.putAccount(account);
  return copy;
}

function accountIn(records: PermissionRecords, orgId: string | undefined, account: string | undefined) {
  const entry = records.account(addressOf(account));
  return found(entry?.orgId === orgId ? entry : undefined, `account ${account} of ${orgId}`);
}

/** As for transactions, a role of the master organization will do. */
function roleOf(records: PermissionRecords, orgId: string, roleId: string) {
  const master = records.org(orgId)?.ultimateParent ?? orgId;
  return found(records.role(orgId, roleId) ?? records.role(master, roleId), `role ${roleId} of ${orgId}`);
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
