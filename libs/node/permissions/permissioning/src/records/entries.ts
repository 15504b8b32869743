import type { Address } from '@tetrad/types';

/** Entries of the permission contracts, in the shapes and the key order of responses to clients. */

/** Status of an organization. */
export const ORG_STATUS = {
  proposed: 1,
  approved: 2,
  /** A suspension that waits for approval. */
  suspending: 3,
  suspended: 4,
  /** The end of a suspension that waits for approval. */
  reactivating: 5,
} as const;

/** Status of an account. */
export const ACCOUNT_STATUS = {
  /** An admin role that waits for approval. */
  pending: 1,
  active: 2,
  inactive: 3,
  suspended: 4,
  denylisted: 5,
  /** Of an organization admin that another one replaced. */
  revoked: 6,
  recovering: 7,
} as const;

/** Status of a node. */
export const NODE_STATUS = {
  proposed: 1,
  approved: 2,
  deactivated: 3,
  denylisted: 4,
  recovering: 5,
} as const;

/** Access of a role under the first model; the second one has values up to 7 (section 2). */
export const ACCESS = { none: 0, transact: 1, deploy: 2, full: 3 } as const;

/** An organization as the contracts know it. */
export interface OrgRecord {
  /** The last part of the id. */
  readonly orgId: string;
  /** Full id of the parent, empty for a master organization. */
  readonly parentOrgId: string;
  /** The master organization. */
  readonly ultimateParent: string;
  /** 1 for a master organization. */
  readonly level: number;
  /** One of ORG_STATUS. */
  readonly status: number;
}

/** An organization in its place in the hierarchy. */
export interface OrgEntry {
  readonly orgId: string;
  /** The hierarchy from the master organization on, joined by dots. */
  readonly fullOrgId: string;
  readonly parentOrgId: string;
  readonly ultimateParent: string;
  readonly level: number;
  /** Full ids in the order in which they were added; null when empty. */
  readonly subOrgList: readonly string[] | null;
  readonly status: number;
}

export interface NodeEntry {
  /** Full id of the organization. */
  readonly orgId: string;
  /** Enode URL: under the first model as it was submitted, under the second as `contractNodeUrl` writes it. */
  readonly url: string;
  /** One of NODE_STATUS. */
  readonly status: number;
}

export interface RoleEntry {
  readonly orgId: string;
  readonly roleId: string;
  readonly isVoter: boolean;
  readonly isAdmin: boolean;
  /** 0 to 3 under the first model (ACCESS), 0 to 7 under the second. */
  readonly access: number;
  readonly active: boolean;
}

export interface AccountEntry {
  readonly orgId: string;
  readonly roleId: string;
  readonly acctId: Address;
  readonly isOrgAdmin: boolean;
  /** One of ACCOUNT_STATUS. */
  readonly status: number;
}

/** Entries of one organization itself, not of those below it; a list is null when it is empty. */
export interface OrgDetails {
  readonly nodeList: readonly NodeEntry[] | null;
  readonly roleList: readonly RoleEntry[] | null;
  readonly acctList: readonly AccountEntry[] | null;
  readonly subOrgList: readonly string[] | null;
}

/** The id of an organization in the hierarchy; by its level, since one with an empty id may be a parent as well. */
export function fullOrgId({
  parentOrgId,
  orgId,
  level,
}: Pick<OrgRecord, 'parentOrgId' | 'orgId' | 'level'>): string {
  return level > 1 ? `${parentOrgId}.${orgId}` : orgId;
}
