/**
 * Signatures of the contracts of this project. Tests compare them with what the compiler makes of the sources.
 */

const ORG = 'string orgId, string parentOrgId, string ultimateParent, uint256 level';
const ROLE = 'string roleId, string orgId, uint256 access, bool isVoter, bool isAdmin';
const ACCOUNT = 'address account, string orgId, string roleId, bool isOrgAdmin';
/** Model v1 has the URL of a node as one text, v2 its parts. */
const NODES = ['string enodeId', 'string enodeId, string ip, uint16 port, uint16 raftPort'] as const;
const NODE_EVENTS = [
  'NodeProposed',
  'NodeApproved',
  'NodeDeactivated',
  'NodeActivated',
  'NodeBlacklisted',
  'NodeRecoveryInitiated',
  'NodeRecoveryCompleted',
];

const ofNode = (node: string): readonly string[] => [
  `function addAdminNode(${node})`,
  `function addOrg(string orgId, ${node}, address account)`,
  `function approveOrg(string orgId, ${node}, address account)`,
  `function addSubOrg(string parentOrgId, string orgId, ${node})`,
  `function addNode(string orgId, ${node})`,
  `function updateNodeStatus(string orgId, ${node}, uint256 action)`,
  `function startBlacklistedNodeRecovery(string orgId, ${node})`,
  `function approveBlacklistedNodeRecovery(string orgId, ${node})`,
];

/** Events of the permission contracts, of both models. */
export const PERMISSION_EVENTS: readonly string[] = [
  `event OrgPendingApproval(${ORG}, uint256 status)`,
  `event OrgApproved(${ORG}, uint256 status)`,
  `event OrgSuspended(${ORG})`,
  `event OrgSuspensionRevoked(${ORG})`,
  `event RoleCreated(${ROLE})`,
  'event RoleRevoked(string roleId, string orgId)',
  `event AccountAccessModified(${ACCOUNT}, uint256 status)`,
  `event AccountAccessRevoked(${ACCOUNT})`,
  'event AccountStatusChanged(address account, string orgId, uint256 status)',
  'event VoterAdded(string orgId, address voter)',
  'event VoterDeleted(string orgId, address voter)',
  'event VotingItemAdded(string orgId)',
  'event VoteProcessed(string orgId)',
  'event PermissionsInitialized(bool networkBoot)',
  ...NODES.flatMap((node) => NODE_EVENTS.map((name) => `event ${name}(${node}, string orgId)`)),
];

/** What transactions call of the permission contracts, of both models, and what they log. */
export const PERMISSION_SIGNATURES: readonly string[] = [
  'function setPolicy(string networkAdminOrg, string networkAdminRole, string orgAdminRole)',
  'function init(uint256 breadth, uint256 depth)',
  'function init(address permissionsInterface, address implementation)',
  'function confirmImplChange(address implementation)',
  'function addAdminAccount(address account)',
  'function updateNetworkBootStatus() returns (bool)',
  'function updateOrgStatus(string orgId, uint256 action)',
  'function approveOrgStatus(string orgId, uint256 action)',
  `function addNewRole(${ROLE})`,
  'function removeRole(string roleId, string orgId)',
  'function assignAdminRole(string orgId, address account, string roleId)',
  'function approveAdminRole(string orgId, address account)',
  'function updateAccountStatus(string orgId, address account, uint256 action)',
  'function assignAccountRole(address account, string orgId, string roleId)',
  'function startBlacklistedAccountRecovery(string orgId, address account)',
  'function approveBlacklistedAccountRecovery(string orgId, address account)',
  ...NODES.flatMap(ofNode),
  ...PERMISSION_EVENTS,
];

/** Of the rollup, what operators and holders call most, what it logs, and what it refuses. */
export const ROLLUP_SIGNATURES: readonly string[] = [
  'struct Batch { uint256 nextStateRoot; uint256 ordersRoot; uint256 ciphertextCommitment; uint256 size; bytes operations; }',
  'function submitBatch(Batch batch, bytes proof)',
  'function addToken(address token, uint256 unit) returns (uint256 tokenId)',
  'function registerInboundTransferETH(uint32 accountId) payable',
  'function registerInboundTransferERC20(uint32 accountId, uint32 tokenId, uint64 amount)',
  'function payOwed(address recipient, uint256 tokenId)',
  'function payOwedTo(uint256 tokenId, address to)',
  'function returnDeposits(uint256[] indexes)',
  'function freezeByDeposit(uint256 index)',
  'function freezeByRequest(uint32 accountId)',
  'function announceByDeposit(uint256 index)',
  'function announceByRequest(uint32 accountId)',
  'function proposeOperator(address next)',
  'function acceptOperator()',
  'event TransactionBatchAccepted(uint256 indexed height, uint256 nextStateRoot, address submitter, Batch batch)',
  'event InboundTransferRegistered(uint256 indexed index, uint32 indexed accountId, uint32 indexed tokenId, uint64 amount, address from)',
  'event OutboundTransferOwed(address indexed recipient, uint256 indexed tokenId, uint256 amount)',
  'event OutboundTransferPaid(address indexed recipient, uint256 indexed tokenId, uint256 amount)',
  'event OwedRedirected(address indexed recipient, uint256 indexed tokenId, address indexed to, uint256 amount)',
  'event TokenAdded(uint256 indexed tokenId, address indexed token, uint256 unit)',
  'event Frozen(uint256 indexed height, uint256 stateRoot)',
  'event DepositReturned(uint256 indexed index, address indexed from)',
  'event AccountClaimed(uint32 indexed accountId, address indexed recipient)',
  'event BalanceWithdrawn(uint32 indexed accountId, uint32 indexed tokenId, uint64 amount)',
  'event OrderWithdrawn(uint32 indexed accountId, uint48 indexed totalIndex, uint32 tokenId, uint64 amount)',
  'event OperatorProposed(address indexed operator, address indexed next)',
  'event OperatorChanged(address indexed previous, address indexed next)',
  'event OperatorKeyAnnounced(uint256 indexed index, uint256 x, uint256 y)',
  'error DepositTooLow(uint256 amount, uint256 minimum)',
  'error AmountTooLow(uint256 amount, uint256 minimum)',
  'error InvalidProof()',
  'error NotOperator()',
  'error NotOverdue(uint256 from)',
  'error RollupFrozen()',
  'error NotFrozen()',
  'error StaleProof(uint256 height)',
  'error UnknownAccount(uint256 accountId)',
  'error UnknownToken(uint256 tokenId)',
  'error UnknownBatchSize(uint256 size)',
  'error WrongDeposit(uint256 index)',
  'error TransferFailed()',
  'error NothingOwed()',
];
