import type { ManagerPorts, NodePorts } from '@tetrad/devnet/network/ports';

export interface NodeToml {
  readonly name: string;
  /** The host by which the others reach it. */
  readonly host: string;
  readonly ports: NodePorts;
  readonly hasAccount: boolean;
  /** Ports of its private transaction manager; undefined without one. */
  readonly managerPorts: ManagerPorts | undefined;
  readonly permissioned: boolean;
  /** Lines about its own database; empty with an embedded one. */
  readonly database?: readonly string[];
  /** Its etcd cluster; undefined under validators. */
  readonly raft: { readonly etcdEndpoints: readonly string[]; readonly blockPeriodMs: number } | undefined;
}

const API = [
  'eth',
  'net',
  'web3',
  'txpool',
  'rpc',
  'admin',
  'debug',
  'trace',
  'ots',
  'erigon',
  'explorer',
  'miner',
  'ibft',
  'raft',
];
const PRIVATE_API = ['eea', 'priv', 'privacy', 'chainExtension'];
const PERMISSION_API = ['chainPermission'];

const ACCOUNT_LINES = [
  '# The account that it signs for.',
  'keystore-dir = "keystore"',
  'keystore-password-file = "keystore-password"',
];
const PERMISSION_LINES = [
  '# Once data/permission-config.json is there, which node deploy-permissions writes:',
  '# permissioned = true',
];

export function isLocalHost(host: string): boolean {
  return host === '127.0.0.1' || host === '::1' || host === 'localhost';
}

/** The address on which nodes and managers listen for those of other hosts. */
export function listenHostOf(host: string): string {
  if (isLocalHost(host)) return host;
  return host.includes(':') ? '::' : '0.0.0.0';
}

/** The configuration file of a node; paths are relative to its folder, in which it is started. */
export function nodeToml(node: NodeToml): string {
  const { name, host, ports, hasAccount, managerPorts, permissioned, raft, database = [] } = node;
  const api = apiOf(node);
  const lines = [
    `# ${name}. Paths are relative to this folder: start the node in it, with --config-file node.toml.`,
    '# tetrad node --help lists all options; each flag is a key here.',
    'data-dir = "data"',
    'genesis-file = "genesis.json"',
    'node-key-file = "nodekey"',
    'static-nodes-file = "static-nodes.json"',
    '',
    '# For clients, on this host only, which may call everything. Elsewhere it needs authentication, see --help; there, admin,',
    '# debug and miner are for operators alone.',
    `http-listen-port = ${ports.rpc}`,
    `http-api = [${api.map((group) => `"${group}"`).join(', ')}]`,
    '',
    '# Health and metrics.',
    `ops-listen-port = ${ports.ops}`,
    '',
    '# For the other nodes, which prove who they are.',
    `peer-listen-host = "${listenHostOf(host)}"`,
    `peer-listen-port = ${ports.peer}`,
    `p2p-host = "${host}"`,
    ...(raft === undefined ? [] : ['', ...raftLines(raft)]),
    ...(managerPorts === undefined
      ? []
      : ['', '# Its private transaction manager.', `ptm-url = "http://127.0.0.1:${managerPorts.rpc}"`]),
    ...(hasAccount ? ['', ...ACCOUNT_LINES] : []),
    ...database,
    ...(permissioned ? ['', ...PERMISSION_LINES] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Namespaces of the node's methods. */
function apiOf({ managerPorts, permissioned }: NodeToml): string[] {
  return [
    ...API,
    ...(managerPorts === undefined ? [] : PRIVATE_API),
    ...(permissioned ? PERMISSION_API : []),
  ];
}

function raftLines({ etcdEndpoints, blockPeriodMs }: NonNullable<NodeToml['raft']>): string[] {
  return [
    '# The etcd cluster that orders blocks; --help lists certificates, user and password.',
    `etcd-endpoints = [${etcdEndpoints.map((url) => JSON.stringify(url)).join(', ')}]`,
    `block-period = "${blockPeriodMs}ms"`,
  ];
}
