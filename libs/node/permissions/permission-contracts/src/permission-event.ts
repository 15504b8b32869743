import { parseAddress, type Address, type Hex, type Log } from '@tetrad/types';
import type { Result } from 'ethers/abi';
import { getNumber } from 'ethers/utils';
import { decodeEventData } from './contract-coding.js';
import {
  NODE_EVENTS,
  PERMISSION_CONTRACTS,
  permissionAbi,
  type PermissionContract,
  type PermissionModel,
} from './permission-abi.js';
import {
  orgIdentity,
  type AccountEntry,
  type NodeEntry,
  type OrgEntry,
  type RoleEntry,
} from './permission-view.js';

/** All events of the contracts. Each has the changed entry after the change. */
export type PermissionEvent =
  | ({ readonly name: 'OrgPendingApproval' | 'OrgApproved' } & OrgEntry)
  | ({ readonly name: 'OrgSuspended' | 'OrgSuspensionRevoked' } & Omit<OrgEntry, 'status'>)
  | ({ readonly name: 'RoleCreated' } & Omit<RoleEntry, 'active'>)
  | ({ readonly name: 'RoleRevoked' } & Pick<RoleEntry, 'roleId' | 'orgId'>)
  | ({ readonly name: 'AccountAccessModified' } & AccountEntry)
  | ({ readonly name: 'AccountAccessRevoked' } & Omit<AccountEntry, 'status'>)
  | ({ readonly name: 'AccountStatusChanged' } & Pick<AccountEntry, 'account' | 'orgId' | 'status'>)
  | ({ readonly name: (typeof NODE_EVENTS)[number] } & Omit<NodeEntry, 'status'>)
  | {
      readonly name: 'VoterAdded' | 'VoterDeleted';
      readonly networkAdminOrg: string;
      readonly voter: Address;
    }
  | { readonly name: 'VotingItemAdded' | 'VoteProcessed'; readonly networkAdminOrg: string }
  | { readonly name: 'PermissionsInitialized'; readonly networkBoot: boolean };

type Reader = (values: Result) => PermissionEvent;

/** First topics of all events of the model. */
export function permissionTopics(model: PermissionModel): ReadonlySet<Hex> {
  return new Set(contractsByTopic(model).keys()) as ReadonlySet<string> as ReadonlySet<Hex>;
}

/**
 * @param log - of one of the contracts; the caller checks its address
 * @returns undefined for a log with another topic
 * @throws Error when the data does not match the topic, as in a log of another contract
 */
export function decodeEvent(model: PermissionModel, log: Log): PermissionEvent | undefined {
  const contract = contractsByTopic(model).get(log.topics[0] ?? '');
  if (contract === undefined) return undefined;
  const event = permissionAbi(model, contract).getEvent(log.topics[0] ?? '');
  return event === null ? undefined : READERS[model][event.name]?.(decodeEventData(event.inputs, log.data));
}

const orgStatus =
  (name: 'OrgPendingApproval' | 'OrgApproved'): Reader =>
  (values) => ({ name, ...orgIdentity(values), status: getNumber(values[4]) });
const orgSuspension =
  (name: 'OrgSuspended' | 'OrgSuspensionRevoked'): Reader =>
  (values) => ({ name, ...orgIdentity(values) });
const voter =
  (name: 'VoterAdded' | 'VoterDeleted'): Reader =>
  ([networkAdminOrg, account]) => ({ name, networkAdminOrg, voter: parseAddress(account) });
const voting =
  (name: 'VotingItemAdded' | 'VoteProcessed'): Reader =>
  ([networkAdminOrg]) => ({ name, networkAdminOrg });

const nodeV1 =
  (name: (typeof NODE_EVENTS)[number]): Reader =>
  ([enodeId, orgId]) => ({ name, orgId, enodeId, ip: '', port: 0, raftPort: 0 });
const nodeV2 =
  (name: (typeof NODE_EVENTS)[number]): Reader =>
  ([enodeId, ip, port, raftPort, orgId]) => ({
    name,
    orgId,
    enodeId,
    ip,
    port: getNumber(port),
    raftPort: getNumber(raftPort),
  });

const SHARED: Readonly<Record<string, Reader>> = {
  OrgPendingApproval: orgStatus('OrgPendingApproval'),
  OrgApproved: orgStatus('OrgApproved'),
  OrgSuspended: orgSuspension('OrgSuspended'),
  OrgSuspensionRevoked: orgSuspension('OrgSuspensionRevoked'),
  RoleCreated: ([roleId, orgId, access, isVoter, isAdmin]) => ({
    name: 'RoleCreated',
    roleId,
    orgId,
    access: getNumber(access),
    isVoter,
    isAdmin,
  }),
  RoleRevoked: ([roleId, orgId]) => ({ name: 'RoleRevoked', roleId, orgId }),
  AccountAccessModified: ([account, orgId, roleId, isOrgAdmin, status]) => ({
    name: 'AccountAccessModified',
    account: parseAddress(account),
    orgId,
    roleId,
    isOrgAdmin,
    status: getNumber(status),
  }),
  AccountAccessRevoked: ([account, orgId, roleId, isOrgAdmin]) => ({
    name: 'AccountAccessRevoked',
    account: parseAddress(account),
    orgId,
    roleId,
    isOrgAdmin,
  }),
  AccountStatusChanged: ([account, orgId, status]) => ({
    name: 'AccountStatusChanged',
    account: parseAddress(account),
    orgId,
    status: getNumber(status),
  }),
  VoterAdded: voter('VoterAdded'),
  VoterDeleted: voter('VoterDeleted'),
  VotingItemAdded: voting('VotingItemAdded'),
  VoteProcessed: voting('VoteProcessed'),
  PermissionsInitialized: ([networkBoot]) => ({ name: 'PermissionsInitialized', networkBoot }),
};

const withNodes = (node: (name: (typeof NODE_EVENTS)[number]) => Reader) => ({
  ...SHARED,
  ...Object.fromEntries(NODE_EVENTS.map((name) => [name, node(name)])),
});

const READERS = { v1: withNodes(nodeV1), v2: withNodes(nodeV2) };

/** Read from the ABI at first use: most nodes have no permission contracts, and start without it. */
const contracts = new Map<PermissionModel, ReadonlyMap<string, PermissionContract>>();

function contractsByTopic(model: PermissionModel): ReadonlyMap<string, PermissionContract> {
  const known = contracts.get(model);
  if (known !== undefined) return known;
  const topics = new Map<string, PermissionContract>();
  for (const contract of PERMISSION_CONTRACTS)
    permissionAbi(model, contract).forEachEvent(({ topicHash }) => topics.set(topicHash, contract));
  contracts.set(model, topics);
  return topics;
}
