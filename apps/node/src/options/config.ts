import {
  booleanOption,
  choiceOption,
  defineOptions,
  listOption,
  option,
  ownDatabaseOptions,
  serviceOptions,
  type ConfigOf,
} from '@tetrad/service';
import { accountOptions } from './account-options.js';
import { chainOptions } from './chain-options.js';
import { confirmationOptions } from './confirmation-options.js';
import { etcdOptions } from './etcd-options.js';
import { limitOptions } from './limit-options.js';
import { managerOptions } from './manager-options.js';
import { peerOptions } from './peer-options.js';
import { permissionOptions } from './permission-options.js';
import { poolOptions } from './pool-options.js';
import { sendingOptions } from './sending-options.js';

/** Ports and limits that all services agree on: README.md, docs/reference/options. */
const DEFAULT_RPC_PORT = 22_000;
const DEFAULT_OPS_PORT = 22_100;
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
  ...chainOptions,
  ...accountOptions,
  ...peerOptions,
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
  ...poolOptions,
  ...limitOptions,
});

export type NodeConfig = ConfigOf<typeof nodeOptions>;
