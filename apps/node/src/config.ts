import {
  booleanOption,
  choiceOption,
  defineOptions,
  durationOption,
  integerOption,
  listOption,
  option,
  ownDatabaseOptions,
  pathOption,
  portOption,
  secretFileOption,
  serviceOptions,
  textOption,
  type ConfigOf,
} from '@tetrad/service';
import type { RuleSet } from '@tetrad/node-execution';
import { permissionOptions } from './permissions/permission-options.js';
import { managerOptions } from './privacy/manager-options.js';
import { sendingOptions } from './privacy/sending-options.js';

const CHAIN = 'Chain';
const ACCOUNTS = 'Keys and accounts';
const PEERS = 'Peers';
const POOL = 'Transaction pool';
const LIMITS = 'Limits';

/** Those of the execution library, which is only loaded once the options are known to be good. */
const RULE_SETS = ['tetrad', 'goquorum'] as const satisfies readonly RuleSet[];

/** Ports and limits of design.md, sections 3 and 4. */
const DEFAULT_RPC_PORT = 22_000;
const DEFAULT_OPS_PORT = 22_100;
const DEFAULT_PEER_PORT = 21_000;
const MAX_BODY_BYTES = 10_000_000;

const NAMESPACES = [
  'eth',
  'net',
  'web3',
  'txpool',
  'rpc',
  'debug',
  'admin',
  'ibft',
  'chainPermission',
  'miner',
  'eea',
  'priv',
  'chainExtension',
] as const;
type Namespace = (typeof NAMESPACES)[number];

export const nodeOptions = defineOptions({
  ...serviceOptions({
    httpListenPort: DEFAULT_RPC_PORT,
    opsListenPort: DEFAULT_OPS_PORT,
    maxBodyBytes: MAX_BODY_BYTES,
  }),
  ...ownDatabaseOptions,
  dataDir: option(pathOption('DIR'), {
    group: CHAIN,
    description: 'Folder of the node: the embedded database, and the node key unless it is elsewhere.',
    required: true,
  }),
  genesisFile: option(pathOption(), {
    group: CHAIN,
    description: 'genesis.json of the chain.',
    required: true,
  }),
  genesisRules: option(choiceOption(...RULE_SETS), {
    group: CHAIN,
    description:
      'By whose rules a genesis file is read that does not say it itself (rules in its config): those of GoQuorum end with Berlin.',
  }),
  validator: option(booleanOption(), {
    group: CHAIN,
    description: 'Take part in deciding on blocks with the node key, whenever it is a validator’s.',
    default: true,
  }),
  blockPeriod: option(durationOption({ min: 10, max: 3_600_000 }), {
    group: CHAIN,
    description:
      'Time between blocks, instead of that of the genesis file; whole seconds are the least that headers tell apart.',
  }),
  verify: option(booleanOption(), {
    group: CHAIN,
    description: 'Execute the whole stored chain again, compare every commitment, say so and exit.',
    default: false,
  }),
  nodeKeyFile: option(pathOption(), {
    group: ACCOUNTS,
    description: 'Node key: 64 hex digits. By default nodekey in the data folder, made when it is missing.',
  }),
  keystoreDir: option(pathOption('DIR'), {
    group: ACCOUNTS,
    description: 'Folder of V3 key files: the accounts that eth_sendTransaction signs for.',
  }),
  keystorePasswordFile: option(secretFileOption(), {
    group: ACCOUNTS,
    description: 'File with the password of the key files.',
  }),
  peerListenHost: option(textOption('HOST'), {
    group: PEERS,
    description: 'Address on which other nodes are listened to. They prove who they are.',
    default: '127.0.0.1',
  }),
  peerListenPort: option(portOption(), {
    group: PEERS,
    description: 'Port for other nodes; 0 takes a free one.',
    default: DEFAULT_PEER_PORT,
  }),
  p2pHost: option(textOption('HOST'), {
    group: PEERS,
    description:
      'Host under which other nodes reach this one, named in its enode URL; by default the address above.',
  }),
  peers: option(listOption(textOption('ENODE')), {
    group: PEERS,
    description: 'Enode URLs of nodes to keep connections with.',
    default: [] as readonly string[],
  }),
  staticNodesFile: option(pathOption(), {
    group: PEERS,
    description: 'JSON list of more of them, as GoQuorum’s static-nodes.json; this node may be among them.',
  }),
  peerExchange: option(booleanOption(), {
    group: PEERS,
    description: 'Connect with nodes that peers tell of.',
    default: true,
  }),
  maxPeers: option(integerOption({ min: 0, max: 10_000 }), {
    group: PEERS,
    description: 'Connected nodes, those to keep connections with not counted.',
    default: 50,
  }),
  httpApi: option(listOption(choiceOption(...NAMESPACES)), {
    group: 'JSON-RPC',
    description: 'Namespaces that are exposed.',
    default: ['eth', 'net', 'web3', 'rpc'] as readonly Namespace[],
  }),
  ...permissionOptions,
  ...managerOptions,
  ...sendingOptions,
  poolMaxTransactions: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: POOL,
    description: 'Transactions that may wait.',
    default: 100_000,
  }),
  poolMaxBytes: option(integerOption({ min: 1_000_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'Transactions that may wait, together.',
    unit: 'bytes',
    default: 268_435_456,
  }),
  poolMaxQueued: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: POOL,
    description: 'Transactions that may wait behind missing nonces; by default a quarter of all.',
  }),
  poolMaxQueuedBytes: option(integerOption({ min: 1_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'The same, together; by default a quarter of all.',
    unit: 'bytes',
  }),
  poolQueuedLifetime: option(durationOption({ max: 30 * 24 * 3_600_000 }), {
    group: POOL,
    description: 'A transaction behind a missing nonce is dropped after this long; 0 keeps it.',
    default: 3 * 3_600_000,
  }),
  poolMaxPerAccount: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: POOL,
    description: 'Transactions of one sender that may wait.',
    default: 20_000,
  }),
  poolMaxBytesPerAccount: option(integerOption({ min: 1_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'Transactions of one sender, together; by default a 16th of all.',
    unit: 'bytes',
  }),
  poolMaxTransactionBytes: option(integerOption({ min: 1_000, max: 4_000_000 }), {
    group: POOL,
    description: 'Largest transaction.',
    unit: 'bytes',
    default: 131_072,
  }),
  rpcGasCap: option(integerOption({ min: 21_000, max: 10_000_000_000 }), {
    group: LIMITS,
    description: 'Most gas that eth_call and a try of eth_estimateGas use.',
    default: 50_000_000,
  }),
  rpcEstimateGasCap: option(integerOption({ min: 21_000, max: 10_000_000_000 }), {
    group: LIMITS,
    description: 'Most gas that a try of eth_estimateGas uses, when that is to be less.',
    default: 50_000_000,
  }),
  rpcExecutionTimeout: option(durationOption({ min: 100, max: 3_600_000 }), {
    group: LIMITS,
    description: 'A call, an estimate or a trace that takes longer is given up.',
    default: 5_000,
  }),
  rpcMaxLongExecutions: option(integerOption({ min: 1, max: 1_000 }), {
    group: LIMITS,
    description: 'Calls, estimates and traces at a time that take more than a few milliseconds; others wait.',
    default: 4,
  }),
  callThreads: option(integerOption({ min: 0, max: 64 }), {
    group: LIMITS,
    description:
      'Threads for eth_call, eth_estimateGas, eth_createAccessList and debug_traceCall; 0 runs them on the main thread, in turns with consensus.',
    default: 0,
  }),
  callThreadMemoryMb: option(integerOption({ min: 64, max: 100_000 }), {
    group: LIMITS,
    description: 'Heap of each of these threads; one that needs more ends with its calls, and is replaced.',
    unit: 'MB',
    default: 512,
  }),
  rpcMaxLogs: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: LIMITS,
    description: 'Most logs in an answer.',
    default: 20_000,
  }),
  rpcMaxLogBlocks: option(integerOption({ min: 1, max: 1_000_000_000 }), {
    group: LIMITS,
    description: 'Most blocks in a search for logs.',
    default: 1_000_000,
  }),
  rpcMaxDumpSlots: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: LIMITS,
    description: 'Most storage slots of an account that debug_dumpAddress shows.',
    default: 100_000,
  }),
  rpcMaxFilters: option(integerOption({ min: 0, max: 1_000_000 }), {
    group: LIMITS,
    description: 'Polling filters at a time.',
    default: 10_000,
  }),
  rpcFilterExpiry: option(durationOption({ min: 1_000 }), {
    group: LIMITS,
    description: 'A filter that is not polled for this long is forgotten.',
    default: 300_000,
  }),
  rpcMaxSubscriptions: option(integerOption({ min: 0, max: 100_000 }), {
    group: LIMITS,
    description: 'Subscriptions of one WebSocket connection.',
    default: 100,
  }),
  rpcMaxAsyncSends: option(integerOption({ min: 1, max: 100_000 }), {
    group: LIMITS,
    description: 'Asynchronous sends under way at a time.',
    default: 100,
  }),
  callbackAllowPrivate: option(booleanOption(), {
    group: LIMITS,
    description: 'Allow callbacks of eth_sendTransactionAsync to loopback, link-local and private addresses.',
    default: false,
  }),
  stateCacheMb: option(integerOption({ min: 1, max: 100_000 }), {
    group: LIMITS,
    description: 'Memory for trie nodes.',
    unit: 'MB',
    default: 32,
  }),
  cachedTransactions: option(integerOption({ min: 100, max: 10_000_000 }), {
    group: LIMITS,
    description: 'Transactions whose blocks and receipts stay in memory.',
    default: 8_000,
  }),
});

export type NodeConfig = ConfigOf<typeof nodeOptions>;
