import type { PermissionModel } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, parseAddress, type Address } from '@tetrad/types';
import type { PermissionEvent } from '../src/records/events.js';
import type { PendingItem } from '../src/records/pending-item.js';
import { PermissionRecords, type RecordCapacity } from '../src/records/permission-records.js';
import type { PermissionPolicy } from '../src/records/policy.js';

/** Records of a network with one entry for each case that rules distinguish. */

const addressOf = (digits: string): Address => parseAddress(`0x${digits.repeat(20)}`);

export const ADMIN = addressOf('a0');
export const BANK_ADMIN = addressOf('b0');
export const SUB_ADMIN = addressOf('b1');
export const TELLER = addressOf('c0');
export const SUSPENDED = addressOf('c1');
export const DENYLISTED = addressOf('c2');
export const RECOVERING = addressOf('c3');
export const OTHER_ADMIN = addressOf('d0');
export const STRANGER = addressOf('ee');

export const POLICY: PermissionPolicy = {
  networkAdminOrg: 'NETWORK',
  networkAdminRole: 'NWADMIN',
  orgAdminRole: 'ORGADMIN',
  subOrgDepth: 3,
  subOrgBreadth: 2,
};

/** Public keys of the secrets 1 to 7: points of the curve, as node ids must be. */
const NODE_IDS = [
  '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
  'c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee51ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a',
  'f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9388f7b0f632de8140fe337e62a37f3566500a99934c2231b6cb9fd7584b8e672',
  'e493dbf1c10d80f3581e4904930b1404cc6c13900ee0758474fa94abe8c4cd1351ed993ea0d455b75642e2098ea51448d967ae33bfbdfe40cfe97bdc47739922',
  '2f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4d8ac222636e5e3d6d4dba9dda6c9c426f788271bab0d6840dca87d3aa6ac62d6',
  'fff97bd5755eeea420453a14355235d382f6472f8568a18b2f057a1460297556ae12777aacfbb620f3be96017f45c560de80f0f6518fe4a03c870c36b075f297',
] as const;

const urlOf = (index: number, host = `10.0.0.${index + 1}`) =>
  `enode://${NODE_IDS[index]}@${host}:21000?discport=0`;

/** Of BANK: approved, deactivated, denylisted, recovering. */
export const [NODE, DEACTIVATED_NODE, DENYLISTED_NODE, RECOVERING_NODE] = [0, 1, 2, 3].map((index) =>
  urlOf(index),
) as [string, string, string, string];
/** A node that is not listed. */
export const NEW_NODE = urlOf(4);
export const NAMED_NODE = urlOf(5, 'node.bank.example');
/** Of a listed node, with another address. */
export const MOVED_NODE = urlOf(0, '10.9.9.9');

const org = (fullOrgId: string) => {
  const parts = fullOrgId.split('.');
  const [orgId = '', ultimateParent = ''] = [parts.at(-1), parts[0]];
  return { orgId, parentOrgId: parts.slice(0, -1).join('.'), ultimateParent, level: parts.length };
};

const account = (
  address: Address,
  orgId: string,
  roleId: string,
  status: number,
  isOrgAdmin = false,
): PermissionEvent => ({
  name: 'AccountAccessModified',
  account: address,
  orgId,
  roleId,
  isOrgAdmin,
  status,
});

const role = (orgId: string, roleId: string): PermissionEvent => ({
  name: 'RoleCreated',
  orgId,
  roleId,
  access: 1,
  isVoter: false,
  isAdmin: false,
});

const EVENTS: readonly PermissionEvent[] = [
  { name: 'OrgApproved', ...org('NETWORK') },
  account(ADMIN, 'NETWORK', 'NWADMIN', 2, true),
  { name: 'OrgApproved', ...org('BANK') },
  { name: 'OrgApproved', ...org('BANK.SUB') },
  { name: 'OrgApproved', ...org('BANK.SUB.DEEP') },
  { name: 'OrgApproved', ...org('FULL') },
  { name: 'OrgApproved', ...org('FULL.ONE') },
  { name: 'OrgApproved', ...org('FULL.TWO') },
  { name: 'OrgSuspended', ...org('CLOSED') },
  { name: 'OrgPendingApproval', ...org('NEXT'), status: 1 },
  role('BANK', 'TELLER'),
  role('BANK', 'SPARE'),
  role('BANK', 'GONE'),
  { name: 'RoleRevoked', orgId: 'BANK', roleId: 'GONE' },
  role('BANK.SUB', 'TELLER'),
  role('BANK.SUB', 'LOCAL'),
  account(BANK_ADMIN, 'BANK', 'ORGADMIN', 2, true),
  account(SUB_ADMIN, 'BANK.SUB', 'BOSS', 2, true),
  account(OTHER_ADMIN, 'FULL', 'ORGADMIN', 2, true),
  account(TELLER, 'BANK', 'TELLER', 2),
  account(SUSPENDED, 'BANK', 'TELLER', 4),
  account(DENYLISTED, 'BANK', 'TELLER', 5),
  account(RECOVERING, 'BANK', 'TELLER', 7),
  { name: 'NodeApproved', orgId: 'BANK', url: NODE },
  { name: 'NodeDeactivated', orgId: 'BANK', url: DEACTIVATED_NODE },
  { name: 'NodeBlacklisted', orgId: 'BANK', url: DENYLISTED_NODE },
  { name: 'NodeRecoveryInitiated', orgId: 'BANK', url: RECOVERING_NODE },
];

export function bankRecords(capacity?: RecordCapacity): PermissionRecords {
  const records = new PermissionRecords(capacity);
  EVENTS.forEach((event) => records.apply(event));
  return records;
}

export const NOTHING: PendingItem = { orgId: '', enodeId: '', account: ZERO_ADDRESS, operation: 0 };

/** A pending item in the form in which the contracts of the model return it. */
export function pendingItem(
  model: PermissionModel,
  item: { operation: number; orgId: string; url?: string; account?: Address },
): PendingItem {
  const { operation, orgId, url = '', account: about = ZERO_ADDRESS } = item;
  return { operation, orgId, account: about, enodeId: model === 'v1' ? url : url.slice(8, 136) };
}
