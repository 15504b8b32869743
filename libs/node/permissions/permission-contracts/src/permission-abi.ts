import { Interface } from 'ethers/abi';

/**
 * The contracts' ABI in Solidity's own words: names, selectors and topics are those that GoQuorum's nodes speak
 * (Consensys/quorum, permission/v1/bind and permission/v2/bind). A test compares it with what the compiler makes of ours.
 */

/** v1 decides by the node's records, and identifies a node by its URL; v2 by the contracts, and by id, host and ports. */
export type PermissionModel = 'v1' | 'v2';

export const PERMISSION_CONTRACTS = [
  'upgradable',
  'interface',
  'implementation',
  'orgManager',
  'roleManager',
  'accountManager',
  'voterManager',
  'nodeManager',
] as const;
export type PermissionContract = (typeof PERMISSION_CONTRACTS)[number];

type Fragments = Readonly<Record<PermissionContract, readonly string[]>>;

const ORG = 'string orgId, string parentOrgId, string ultimateParent, uint256 level';
const ORG_RESULT = `(${ORG}, uint256 status)`;
const ROLE = 'string roleId, string orgId, uint256 access, bool isVoter, bool isAdmin';
const ACCOUNT_RESULT = '(address account, string orgId, string roleId, uint256 status, bool isOrgAdmin)';
const PENDING = '(string orgId, string enodeId, address account, uint256 operation)';
const POLICY = 'string networkAdminOrg, string networkAdminRole, string orgAdminRole';
const ASK_ROLE = 'string roleId, string orgId, string ultimateParent';
const CONNECTION = 'string enodeId, string ip, uint16 port';
const TRANSACTION =
  'address sender, address target, uint256 value, uint256 gasPrice, uint256 gasLimit, bytes payload';

const UPGRADABLE = [
  'constructor(address guardian)',
  'function init(address permissionsInterface, address implementation)',
  'function confirmImplChange(address implementation)',
  'function getGuardian() view returns (address)',
  'function getPermImpl() view returns (address)',
  'function getPermInterface() view returns (address)',
];

const ORG_MANAGER = [
  'constructor(address upgradable)',
  'function setUpOrg(string orgId, uint256 breadth, uint256 depth)',
  'function addOrg(string orgId)',
  'function addSubOrg(string parentOrgId, string orgId)',
  'function updateOrg(string orgId, uint256 action) returns (uint256 operation)',
  'function approveOrg(string orgId)',
  'function approveOrgStatusUpdate(string orgId, uint256 action)',
  `function getOrgInfo(uint256 index) view returns ${ORG_RESULT}`,
  `function getOrgDetails(string orgId) view returns ${ORG_RESULT}`,
  'function getSubOrgIndexes(string orgId) view returns (uint256[])',
  'function getUltimateParent(string orgId) view returns (string)',
  'function getNumberOfOrgs() view returns (uint256)',
  'function checkOrgStatus(string orgId, uint256 status) view returns (bool)',
  'function checkOrgExists(string orgId) view returns (bool)',
  `event OrgPendingApproval(${ORG}, uint256 status)`,
  `event OrgApproved(${ORG}, uint256 status)`,
  `event OrgSuspended(${ORG})`,
  `event OrgSuspensionRevoked(${ORG})`,
];

const ROLE_MANAGER = [
  'constructor(address upgradable)',
  `function addRole(${ROLE})`,
  'function removeRole(string roleId, string orgId)',
  `function getRoleDetails(string roleId, string orgId) view returns (${ROLE}, bool active)`,
  `function getRoleDetailsFromIndex(uint256 index) view returns (${ROLE}, bool active)`,
  'function getNumberOfRoles() view returns (uint256)',
  `function roleExists(${ASK_ROLE}) view returns (bool)`,
  `function isAdminRole(${ASK_ROLE}) view returns (bool)`,
  `function isVoterRole(${ASK_ROLE}) view returns (bool)`,
  `event RoleCreated(${ROLE})`,
  'event RoleRevoked(string roleId, string orgId)',
];

const ACCOUNT_MANAGER = [
  'constructor(address upgradable)',
  'function setDefaults(string networkAdminRole, string orgAdminRole)',
  'function assignAdminRole(address account, string orgId, string roleId, uint256 status)',
  'function assignAccountRole(address account, string orgId, string roleId, bool isAdmin)',
  'function removeExistingAdmin(string orgId) returns (bool voterUpdate, address account)',
  'function addNewAdmin(string orgId, address account) returns (bool voterUpdate)',
  'function updateAccountStatus(string orgId, address account, uint256 action)',
  `function getAccountDetails(address account) view returns ${ACCOUNT_RESULT}`,
  `function getAccountDetailsFromIndex(uint256 index) view returns ${ACCOUNT_RESULT}`,
  'function getNumberOfAccounts() view returns (uint256)',
  'function getAccountRole(address account) view returns (string)',
  'function validateAccount(address account, string orgId) view returns (bool)',
  'function orgAdminExists(string orgId) view returns (bool)',
  'function checkOrgAdmin(address account, string orgId, string ultimateParent) view returns (bool)',
  'event AccountAccessModified(address account, string orgId, string roleId, bool isOrgAdmin, uint256 status)',
  'event AccountAccessRevoked(address account, string orgId, string roleId, bool isOrgAdmin)',
  'event AccountStatusChanged(address account, string orgId, uint256 status)',
];

const VOTER_MANAGER = [
  'constructor(address upgradable)',
  'function addVoter(string orgId, address voter)',
  'function deleteVoter(string orgId, address voter)',
  'function addVotingItem(string authority, string orgId, string enodeId, address account, uint256 operation)',
  'function processVote(string authority, address voter, uint256 operation) returns (bool)',
  `function getPendingOpDetails(string authority) view returns ${PENDING}`,
  'event VoterAdded(string orgId, address voter)',
  'event VoterDeleted(string orgId, address voter)',
  'event VotingItemAdded(string orgId)',
  'event VoteProcessed(string orgId)',
];

/** @param node - the parameters that identify a node */
const nodeManager = (node: string): string[] => [
  'constructor(address upgradable)',
  ...['addAdminNode', 'addNode', 'addOrgNode', 'approveNode'].map(
    (name) => `function ${name}(${node}, string orgId)`,
  ),
  `function updateNodeStatus(${node}, string orgId, uint256 action)`,
  `function getNodeDetails(string id) view returns (string orgId, ${node}, uint256 status)`,
  `function getNodeDetailsFromIndex(uint256 index) view returns (string orgId, ${node}, uint256 status)`,
  'function getNumberOfNodes() view returns (uint256)',
  ...NODE_EVENTS.map((name) => `event ${name}(${node}, string orgId)`),
];

export const NODE_EVENTS = [
  'NodeProposed',
  'NodeApproved',
  'NodeDeactivated',
  'NodeActivated',
  'NodeBlacklisted',
  'NodeRecoveryInitiated',
  'NodeRecoveryCompleted',
] as const;

/** Operations of both contracts: in the implementation, operations of admins have the caller as an additional parameter. */
const operations = (node: string, by: string): string[] => [
  `function setPolicy(${POLICY})`,
  'function init(uint256 breadth, uint256 depth)',
  `function addAdminNode(${node})`,
  'function addAdminAccount(address account)',
  'function updateNetworkBootStatus() returns (bool)',
  `function addOrg(string orgId, ${node}, address account${by})`,
  `function approveOrg(string orgId, ${node}, address account${by})`,
  `function addSubOrg(string parentOrgId, string orgId, ${node}${by})`,
  `function updateOrgStatus(string orgId, uint256 action${by})`,
  `function approveOrgStatus(string orgId, uint256 action${by})`,
  `function addNewRole(${ROLE}${by})`,
  `function removeRole(string roleId, string orgId${by})`,
  `function assignAdminRole(string orgId, address account, string roleId${by})`,
  `function approveAdminRole(string orgId, address account${by})`,
  `function updateAccountStatus(string orgId, address account, uint256 action${by})`,
  `function assignAccountRole(address account, string orgId, string roleId${by})`,
  `function addNode(string orgId, ${node}${by})`,
  `function updateNodeStatus(string orgId, ${node}, uint256 action${by})`,
  `function startBlacklistedNodeRecovery(string orgId, ${node}${by})`,
  `function approveBlacklistedNodeRecovery(string orgId, ${node}${by})`,
  `function startBlacklistedAccountRecovery(string orgId, address account${by})`,
  `function approveBlacklistedAccountRecovery(string orgId, address account${by})`,
  'function getNetworkBootStatus() view returns (bool)',
  `function getPendingOp(string authority) view returns ${PENDING}`,
  'function isNetworkAdmin(address account) view returns (bool)',
  'function isOrgAdmin(address account, string orgId) view returns (bool)',
  'function validateAccount(address account, string orgId) view returns (bool)',
];

const permissionsInterface = (node: string): string[] => [
  'constructor(address upgradable)',
  ...operations(node, ''),
  'function setPermImplementation(address implementation)',
  'function getPermissionsImpl() view returns (address)',
];

const implementation = (node: string): string[] => [
  'constructor(address upgradable, address orgManager, address roleManager, address accountManager, address voterManager, address nodeManager)',
  ...operations(node, ', address caller'),
  `function setMigrationPolicy(${POLICY}, bool networkBoot)`,
  'function getPolicyDetails() view returns (string, string, string, bool)',
  'event PermissionsInitialized(bool networkBoot)',
];

const model = (node: string, decisions: readonly string[]): Fragments => ({
  upgradable: UPGRADABLE,
  interface: [...permissionsInterface(node), ...decisions],
  implementation: [...implementation(node), ...decisions],
  orgManager: ORG_MANAGER,
  roleManager: ROLE_MANAGER,
  accountManager: ACCOUNT_MANAGER,
  voterManager: VOTER_MANAGER,
  nodeManager: nodeManager(node),
});

const CONNECTION_ALLOWED = `function connectionAllowed(${CONNECTION}) view returns (bool)`;
const V1 = model('string enodeId', []);
const V2_SHARED = model('string enodeId, string ip, uint16 port, uint16 raftPort', [
  CONNECTION_ALLOWED,
  `function transactionAllowed(${TRANSACTION}) view returns (bool)`,
]);
const V2: Fragments = {
  ...V2_SHARED,
  orgManager: [...ORG_MANAGER, 'function checkOrgActive(string orgId) view returns (bool)'],
  roleManager: [
    ...ROLE_MANAGER,
    `function roleAccess(${ASK_ROLE}) view returns (uint256)`,
    `function transactionAllowed(${ASK_ROLE}, uint256 kind) view returns (bool)`,
  ],
  accountManager: [
    ...ACCOUNT_MANAGER,
    'function getAccountOrgRole(address account) view returns (string orgId, string roleId)',
    'function getAccountStatus(address account) view returns (uint256)',
  ],
  nodeManager: [...V2_SHARED.nodeManager, CONNECTION_ALLOWED],
};

const FRAGMENTS: Readonly<Record<PermissionModel, Fragments>> = { v1: V1, v2: V2 };

/** Parsed at first use: most nodes have no permission contracts, and start without them. */
const abis = new Map<string, Interface>();

/** Calls, results and events of a contract as bytes. */
export function permissionAbi(of: PermissionModel, contract: PermissionContract): Interface {
  const key = `${of} ${contract}`;
  const abi = abis.get(key) ?? new Interface(FRAGMENTS[of][contract]);
  abis.set(key, abi);
  return abi;
}
