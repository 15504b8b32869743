import type { Org, OrgDetails, PermittedAccount, PermittedNode, Role } from '../api/permission-shapes.js';
import type { PermissionModel } from './permission-words.js';

const ACTIVE = 2;
const APPROVED = 2;

/** Who votes. */
export interface NetworkAdmins {
  readonly orgId: string;
  readonly roleId: string | undefined;
  /** Those in office. */
  readonly accounts: readonly PermittedAccount[];
}

/**
 * The organization of the network admins: the contracts get it before any other, and list entries in the order in which they got
 * them. Its first role that votes is that of the network admins.
 */
export const adminOrgOf = (orgs: readonly Org[]): string | undefined => orgs[0]?.fullOrgId;

export function networkAdmins(orgId: string, { roleList, acctList }: OrgDetails): NetworkAdmins {
  const roleId = roleList.find(({ isVoter, isAdmin }: Role) => isVoter && isAdmin)?.roleId;
  const accounts = acctList.filter((account) => account.roleId === roleId && account.status === ACTIVE);
  return { orgId, roleId, accounts };
}

/** Addresses for documentation (RFC 5737), which no network has. */
const ELSEWHERE = ['192.0.2.1', '192.0.2.2'];
const NODE_ID = /[0-9a-f]{128}/i;

/**
 * The URL of an approved node at an address that it has not got: the second model refuses it, the first one does not look at
 * addresses. No method names the model. Undefined without an approved node.
 */
export function nodeElsewhere(nodes: readonly PermittedNode[]): string | undefined {
  const node = nodes.find(({ url, status }) => status === APPROVED && NODE_ID.test(url));
  const host = ELSEWHERE.find((one) => node?.url.includes(one) !== true);
  return node && `enode://${NODE_ID.exec(node.url)?.[0].toLowerCase()}@${host}:21000?discport=0`;
}

/**
 * What the answer about such a URL says.
 * @param rule - of the explanation
 */
export function enforcementOf(rule: string | undefined): {
  readonly model: PermissionModel | undefined;
  /** Undefined where it is not known. */
  readonly isInForce: boolean | undefined;
} {
  if (rule === 'NODE_ADDRESS') return { model: 'v2', isInForce: true };
  if (rule === 'NODE_APPROVED') return { model: 'v1', isInForce: true };
  const isLater = rule === 'NOT_ENFORCED' || rule === 'NODE_LISTED' || rule === 'NODE_NOT_LISTED';
  return { model: undefined, isInForce: isLater ? false : undefined };
}
