import type { Address } from '@tetrad/types';
import type { OrgRecord } from './entries.js';

/**
 * Events of the permission contracts that change records, under the names of both models. Under the second model the
 * parts of a node are put together by `contractNodeUrl` before. Events of voters and votes change no record.
 */
export type PermissionEvent =
  OrgEvent | RoleEvent | AccountEvent | NodeEvent | { name: 'PermissionsInitialized'; networkBoot: boolean };

type OrgEvent =
  | ({ readonly name: 'OrgPendingApproval' } & OrgRecord)
  | ({ readonly name: 'OrgApproved' | 'OrgSuspended' | 'OrgSuspensionRevoked' } & Omit<OrgRecord, 'status'>);

type RoleEvent =
  | {
      readonly name: 'RoleCreated';
      readonly roleId: string;
      readonly orgId: string;
      readonly access: number;
      readonly isVoter: boolean;
      readonly isAdmin: boolean;
    }
  | { readonly name: 'RoleRevoked'; readonly roleId: string; readonly orgId: string };

interface AccountRole {
  readonly account: Address;
  readonly orgId: string;
  readonly roleId: string;
  readonly isOrgAdmin: boolean;
}

type AccountEvent =
  | ({ readonly name: 'AccountAccessModified'; readonly status: number } & AccountRole)
  | ({ readonly name: 'AccountAccessRevoked' } & AccountRole)
  | {
      readonly name: 'AccountStatusChanged';
      readonly account: Address;
      readonly orgId: string;
      readonly status: number;
    };

export type NodeEventName =
  | 'NodeProposed'
  | 'NodeApproved'
  | 'NodeDeactivated'
  | 'NodeActivated'
  | 'NodeBlacklisted'
  | 'NodeRecoveryInitiated'
  | 'NodeRecoveryCompleted';

export interface NodeEvent {
  readonly name: NodeEventName;
  readonly orgId: string;
  readonly url: string;
}
