import { unless, type Check } from '../action.js';

const ORG_ID = /^[a-zA-Z0-9_-]*$/;

/** The id of an organization within its parent has no special characters, a dot among them. */
export function wellFormedOrgId(orgId: string): Check {
  return () => unless(ORG_ID.test(orgId), 'INVALID_ORG_NAME');
}

/** The full id is unused. */
export function orgIsNew(orgId: string): Check {
  return ({ records }) => unless(records.org(orgId) === undefined, 'ORG_EXISTS');
}

/** An organization with the full id exists. */
export function orgIsKnown(orgId: string): Check {
  return ({ records }) => unless(records.org(orgId) !== undefined, 'ORG_NOT_FOUND');
}

/** It is a master organization. */
export function isMasterOrg(orgId: string): Check {
  return ({ records }) => unless(records.org(orgId)?.level === 1, 'NOT_A_MASTER_ORG');
}

/** It is not the organization of the network admins, which cannot be suspended. */
export function notNetworkAdminOrg(orgId: string): Check {
  return ({ policy }) => unless(orgId !== policy.networkAdminOrg, 'OPERATION_NOT_ALLOWED');
}

/** The organization has the status, one of ORG_STATUS. */
export function orgHasStatus(orgId: string, status: number | undefined): Check {
  return ({ records }) => unless(records.org(orgId)?.status === status, 'OPERATION_NOT_ALLOWED');
}

/** The parent has room for another child: in depth, then in breadth. */
export function roomForSubOrg(parentOrgId: string): Check {
  return ({ records, policy }) => {
    const parent = records.org(parentOrgId);
    if (parent === undefined) return 'ORG_NOT_FOUND';
    if (parent.level >= policy.subOrgDepth) return 'MAX_DEPTH_REACHED';
    return unless((parent.subOrgList?.length ?? 0) < policy.subOrgBreadth, 'MAX_BREADTH_REACHED');
  };
}
