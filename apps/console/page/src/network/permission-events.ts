import { toEventSelector } from 'viem/utils';

const ORG = 'string,string,string,uint256';
const NODE_EVENTS = [
  'NodeProposed',
  'NodeApproved',
  'NodeDeactivated',
  'NodeActivated',
  'NodeBlacklisted',
  'NodeRecoveryInitiated',
  'NodeRecoveryCompleted',
];

/** Events of the permission contracts, of both models; a test compares them with those of the contracts. */
const PERMISSION_EVENTS: readonly string[] = [
  `OrgPendingApproval(${ORG},uint256)`,
  `OrgApproved(${ORG},uint256)`,
  `OrgSuspended(${ORG})`,
  `OrgSuspensionRevoked(${ORG})`,
  'RoleCreated(string,string,uint256,bool,bool)',
  'RoleRevoked(string,string)',
  'AccountAccessModified(address,string,string,bool,uint256)',
  'AccountAccessRevoked(address,string,string,bool)',
  'AccountStatusChanged(address,string,uint256)',
  'VoterAdded(string,address)',
  'VoterDeleted(string,address)',
  'VotingItemAdded(string)',
  'VoteProcessed(string)',
  'PermissionsInitialized(bool)',
  ...NODE_EVENTS.flatMap((name) => [`${name}(string,string)`, `${name}(string,string,uint16,uint16,string)`]),
];

let names: ReadonlyMap<string, string> | undefined;

/** First topic → name of the event. */
export function permissionEventNames(): ReadonlyMap<string, string> {
  names ??= new Map(
    PERMISSION_EVENTS.map((event) => [toEventSelector(`event ${event}`), event.slice(0, event.indexOf('('))]),
  );
  return names;
}
