import {
  booleanOption,
  choiceOption,
  defineOptions,
  durationOption,
  integerOption,
  listOption,
  listenOptions,
  option,
  ownDatabaseOptions,
  pathOption,
  secretPathOption,
  secretFileOption,
  serviceOptions,
  textOption,
  type ConfigOf,
} from '@tetrad/service';
import type { RuleSet } from '@tetrad/node-execution';
import { etcdOptions } from './etcd-options.js';
import { permissionOptions } from './permission-options.js';
import { checkpointOption } from './checkpoint-option.js';
import { historyOption } from './history-option.js';
import { confirmationOptions } from './confirmation-options.js';
import { managerOptions } from './manager-options.js';
import { sendingOptions } from './sending-options.js';

const CHAIN = 'Chain';
const ACCOUNTS = 'Keys and accounts';
const PEERS = 'Peers';
const POOL = 'Transaction pool';
const LIMITS = 'Limits';

/** Rule sets of the execution library, which is only loaded once the options are known to be valid. */
const RULE_SETS = ['tetrad', 'goquorum'] as const satisfies readonly RuleSet[];

/** Ports and limits that all services agree on: README.md, docs/reference/options. */
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
  'trace',
  'ots',
  'erigon',
  'explorer',
  'admin',
  'ibft',
  'raft',
  'chainPermission',
  'miner',
  'eea',
  'priv',
  'chainExtension',
  'privacy',
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
    description: 'Folder of the node: the embedded database, and by default the node key.',
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
      'Rules of a genesis file that does not name them itself (rules in its config); those of GoQuorum end with Berlin.',
  }),
  validator: option(booleanOption(), {
    group: CHAIN,
    description: 'Take part in consensus with the node key, whenever it is a validator.',
    default: true,
  }),
  blockPeriod: option(durationOption({ min: 10, max: 3_600_000 }), {
    group: CHAIN,
    description:
      'Time between blocks where the genesis file gives none, below its transitions; all nodes of the network need the same. Where the file gives one, and under raft, the time at which this node makes blocks; block timestamps have a resolution of one second.',
  }),
  requestTimeout: option(durationOption({ min: 10, max: 3_600_000 }), {
    group: CHAIN,
    description:
      'Time-out of the first consensus round where the genesis file gives none, below its transitions.',
  }),
  stateHistory: option(integerOption({ min: 1, max: 1_000_000_000 }), {
    group: CHAIN,
    description:
      'Keep the states of so many blocks before the newest, and remove older ones; blocks, receipts and logs stay. Default: keep all.',
    unit: 'blocks',
  }),
  addressIndex: option(booleanOption(), {
    group: CHAIN,
    description:
      'Keep an index of transactions by address, for ots_searchTransactionsBefore and others; it is filled in the background.',
    default: false,
  }),
  sync: option(choiceOption('auto', 'full', 'state'), {
    group: CHAIN,
    description:
      'How a database without blocks gets to the head: full executes every block; state takes the state of a recent block from peers, with proofs, and executes those after it; auto is state where static nodes are far ahead and nothing private can be lost by it, else full.',
    default: 'auto',
  }),
  syncStateBeyond: option(integerOption({ min: 1, max: 1_000_000_000 }), {
    group: CHAIN,
    description: 'With --sync auto, executing more blocks than that is too long.',
    unit: 'blocks',
    default: 100_000,
  }),
  checkpoint: option(checkpointOption(), {
    group: CHAIN,
    description:
      'A block of the chain, as other members know it: with --sync state, headers with another hash at this number are refused.',
  }),
  trustCheckpoint: option(booleanOption(), {
    group: CHAIN,
    description:
      'Verify seals of headers after the checkpoint only: those before are taken because they lead to it, and without their seals.',
    default: false,
  }),
  history: option(historyOption(), {
    group: CHAIN,
    description:
      'Blocks before the one that --sync state joined at whose transactions, receipts and logs are filled in from peers afterwards, newest first.',
    default: 'all',
  }),
  verify: option(booleanOption(), {
    group: CHAIN,
    description: 'Re-execute the whole stored chain, compare every commitment, report and exit.',
    default: false,
  }),
  nodeKeyFile: option(secretPathOption(), {
    group: ACCOUNTS,
    description:
      'Node key: 64 hex digits, or the TOML file of a key in an HSM or key service, with its public key. Default: nodekey in the data folder, created when missing.',
  }),
  keystoreDir: option(pathOption('DIR'), {
    group: ACCOUNTS,
    description:
      'Folder of the accounts that eth_sendTransaction signs for: V3 key files, and TOML files of keys that sign in an HSM or key service.',
  }),
  keystorePasswordFile: option(secretFileOption(), {
    group: ACCOUNTS,
    description: 'File with the password of the V3 key files.',
  }),
  ...listenOptions('peer', PEERS, {
    host: 'Address to listen on for other nodes, which authenticate with their node keys.',
    port: 'Port for other nodes; 0 chooses a free one.',
    defaultPort: DEFAULT_PEER_PORT,
  }),
  p2pHost: option(textOption('HOST'), {
    group: PEERS,
    description:
      'Host at which other nodes reach this one, part of its enode URL; default: the address above.',
  }),
  peers: option(listOption(textOption('ENODE')), {
    group: PEERS,
    description: 'Enode URLs of static peers.',
    default: [] as readonly string[],
  }),
  staticNodesFile: option(pathOption(), {
    group: PEERS,
    description:
      'JSON list of further enode URLs, as GoQuorum’s static-nodes.json; this node may be among them.',
  }),
  peerExchange: option(booleanOption(), {
    group: PEERS,
    description: 'Connect to nodes that peers announce.',
    default: true,
  }),
  maxPeers: option(integerOption({ min: 0, max: 10_000 }), {
    group: PEERS,
    description: 'Maximum number of connected nodes, not counting static ones.',
    default: 50,
  }),
  readyBlocksBehind: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: PEERS,
    description: 'Blocks by which the node may be behind its peers and still be ready (/readyz).',
    default: 8,
    unit: 'blocks',
  }),
  httpApi: option(listOption(choiceOption(...NAMESPACES)), {
    group: 'JSON-RPC',
    description: 'Exposed namespaces.',
    default: ['eth', 'net', 'web3', 'rpc'] as readonly Namespace[],
  }),
  revertReason: option(booleanOption(), {
    group: 'JSON-RPC',
    description:
      'Show in receipts what a revert returned, as revertReason. It is kept for public transactions of blocks that are executed with it, up to 64 KiB each; of private transactions it is always kept.',
    aliases: ['revertreason'],
    default: false,
  }),
  ...etcdOptions,
  ...permissionOptions,
  ...managerOptions,
  ...confirmationOptions,
  ...sendingOptions,
  poolMaxTransactions: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: POOL,
    description: 'Maximum number of transactions in the pool.',
    default: 100_000,
  }),
  poolMaxBytes: option(integerOption({ min: 1_000_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'Maximum total size of transactions in the pool.',
    unit: 'bytes',
    default: 268_435_456,
  }),
  poolMaxQueued: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: POOL,
    description:
      'Maximum number of queued transactions, which wait behind nonce gaps; default: a quarter of all.',
  }),
  poolMaxQueuedBytes: option(integerOption({ min: 1_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'Maximum total size of queued transactions; default: a quarter of all.',
    unit: 'bytes',
  }),
  poolQueuedLifetime: option(durationOption({ max: 30 * 24 * 3_600_000 }), {
    group: POOL,
    description: 'A transaction behind a nonce gap is dropped after this time; 0 keeps it.',
    default: 3 * 3_600_000,
  }),
  poolMaxPerAccount: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: POOL,
    description: 'Maximum number of transactions per sender.',
    default: 20_000,
  }),
  poolMaxBytesPerAccount: option(integerOption({ min: 1_000, max: 64_000_000_000 }), {
    group: POOL,
    description: 'Maximum total size of the transactions of one sender; default: a 16th of all.',
    unit: 'bytes',
  }),
  poolMaxTransactionBytes: option(integerOption({ min: 1_000, max: 4_000_000 }), {
    group: POOL,
    description: 'Maximum size of a transaction.',
    unit: 'bytes',
    default: 131_072,
  }),
  rpcGasCap: option(integerOption({ min: 21_000, max: 10_000_000_000 }), {
    group: LIMITS,
    description: 'Gas limit of eth_call and of an execution of eth_estimateGas.',
    default: 50_000_000,
  }),
  rpcEstimateGasCap: option(integerOption({ min: 21_000, max: 10_000_000_000 }), {
    group: LIMITS,
    description: 'Gas limit of an execution of eth_estimateGas, when lower.',
    default: 50_000_000,
  }),
  rpcExecutionTimeout: option(durationOption({ min: 100, max: 3_600_000 }), {
    group: LIMITS,
    description: 'Time limit of a call, an estimate or a trace.',
    default: 5_000,
  }),
  rpcMaxLongExecutions: option(integerOption({ min: 1, max: 1_000 }), {
    group: LIMITS,
    description:
      'Maximum number of concurrent calls, estimates and traces that take more than a few milliseconds; others wait.',
    default: 4,
  }),
  callThreads: option(integerOption({ min: 0, max: 64 }), {
    group: LIMITS,
    description:
      'Threads for eth_call, eth_estimateGas, eth_createAccessList and debug_traceCall; 0 runs them on the main thread, alternating with consensus.',
    default: 0,
  }),
  callThreadMemoryMb: option(integerOption({ min: 64, max: 100_000 }), {
    group: LIMITS,
    description: 'Heap of each of these threads; a call that runs when two thirds of it are in use fails.',
    unit: 'MB',
    default: 512,
  }),
  rpcMaxLogs: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: LIMITS,
    description: 'Maximum number of logs in a response.',
    default: 20_000,
  }),
  rpcMaxLogBlocks: option(integerOption({ min: 1, max: 1_000_000_000 }), {
    group: LIMITS,
    description: 'Maximum number of blocks in a log search.',
    default: 1_000_000,
  }),
  rpcMaxTraceBlocks: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: LIMITS,
    description:
      'Maximum number of blocks in a search of traces (trace_filter), which executes their transactions again.',
    default: 1_000,
  }),
  rpcMaxDumpSlots: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: LIMITS,
    description: 'Maximum number of storage slots that debug_dumpAddress returns.',
    default: 100_000,
  }),
  rpcMaxFilters: option(integerOption({ min: 0, max: 1_000_000 }), {
    group: LIMITS,
    description: 'Maximum number of polling filters.',
    default: 10_000,
  }),
  rpcMaxFiltersPerCaller: option(integerOption({ min: 0, max: 1_000_000 }), {
    group: LIMITS,
    description:
      'Maximum number of polling filters of one caller: the subject of a token, or without tokens an address.',
    default: 1_000,
  }),
  rpcFilterExpiry: option(durationOption({ min: 1_000 }), {
    group: LIMITS,
    description: 'A filter that is not polled for this time is removed.',
    default: 300_000,
  }),
  rpcMaxSubscriptions: option(integerOption({ min: 0, max: 100_000 }), {
    group: LIMITS,
    description: 'Maximum number of subscriptions of a WebSocket connection.',
    default: 100,
  }),
  rpcMaxAsyncSends: option(integerOption({ min: 1, max: 100_000 }), {
    group: LIMITS,
    description: 'Maximum number of concurrent asynchronous sends.',
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
    default: 64,
  }),
  cachedTransactions: option(integerOption({ min: 100, max: 10_000_000 }), {
    group: LIMITS,
    description: 'Number of transactions whose blocks and receipts are cached.',
    default: 8_000,
  }),
});

export type NodeConfig = ConfigOf<typeof nodeOptions>;
