import type { AccountEntry, NodeEntry, OrgEntry, RoleEntry } from '../records/entries.js';

/** What an account, a node or an organization may be asked to do. */
export type ExplainedAction = 'transfer' | 'call' | 'deploy' | 'extend' | 'connect';

/** A kind of transaction that roles distinguish (docs/spec/permissions.md#values). */
export type TransactionKind = 'transfer' | 'call' | 'deploy';

/** The rule that decided; stable, for scripts. */
export type PermissionRule =
  | 'NOT_ENFORCED'
  | 'ACCOUNT_UNKNOWN'
  | 'ACCOUNT_NOT_ACTIVE'
  | 'ORG_UNKNOWN'
  | 'ORG_NOT_ACTIVE'
  | 'MASTER_ORG_NOT_ACTIVE'
  | 'ADMIN_ROLE'
  | 'ROLE_UNKNOWN'
  | 'ROLE_ACCESS'
  | 'NOT_AN_ADMIN'
  | 'NODE_OF_OTHER_ORG'
  | 'NODE_LISTED'
  | 'NODE_NOT_LISTED'
  | 'NODE_UNKNOWN'
  | 'NODE_NOT_APPROVED'
  | 'NODE_ADDRESS'
  | 'NODE_APPROVED'
  | 'ORG_ACTIVE'
  | 'CONTRACTS_DIFFER';

/** The entries that a decision depends on; those that do not exist are absent. */
export interface ExplainedRecords {
  readonly account?: AccountEntry;
  readonly org?: OrgEntry;
  readonly masterOrg?: OrgEntry;
  readonly role?: RoleEntry;
  readonly nodes?: readonly NodeEntry[];
}

/** A decision, and why it is so. */
export interface Explanation {
  readonly isAllowed: boolean;
  readonly rule: PermissionRule;
  /** One sentence for people. */
  readonly reason: string;
  /** What an admin could do about a refusal; absent when nothing is refused. */
  readonly remedy?: string;
  readonly records: ExplainedRecords;
}

export function allowed(rule: PermissionRule, reason: string, records: ExplainedRecords = {}): Explanation {
  return { isAllowed: true, rule, reason, records };
}

export function refused(
  rule: PermissionRule,
  { reason, remedy }: { readonly reason: string; readonly remedy: string },
  records: ExplainedRecords = {},
): Explanation {
  return { isAllowed: false, rule, reason, remedy, records };
}
