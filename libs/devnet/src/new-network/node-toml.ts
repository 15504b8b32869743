import type { NodePorts } from '../network/ports.js';

export interface NodeToml {
  readonly name: string;
  /** By which the others reach it. */
  readonly host: string;
  readonly ports: NodePorts;
  readonly hasAccount: boolean;
}

/** The configuration file of a node; paths are relative to its folder, in which it is started. */
export function nodeToml({ name, host, ports, hasAccount }: NodeToml): string {
  const isLocal = host === '127.0.0.1' || host === '::1' || host === 'localhost';
  const lines = [
    `# ${name}. Paths are relative to this folder: start the node in it, with --config-file node.toml.`,
    '# tetrad node --help lists all options; each flag is a key here.',
    'data-dir = "data"',
    'genesis-file = "genesis.json"',
    'node-key-file = "nodekey"',
    'static-nodes-file = "static-nodes.json"',
    '',
    '# For clients, on this host only. Elsewhere it needs authentication, see --help.',
    `http-listen-port = ${ports.rpc}`,
    'http-api = ["eth", "net", "web3", "txpool", "rpc", "admin", "ibft"]',
    '',
    '# Health and metrics.',
    `ops-listen-port = ${ports.ops}`,
    '',
    '# For the other nodes, which prove who they are.',
    `peer-listen-host = "${isLocal ? host : host.includes(':') ? '::' : '0.0.0.0'}"`,
    `peer-listen-port = ${ports.peer}`,
    `p2p-host = "${host}"`,
    ...(hasAccount
      ? [
          '',
          '# The account that it signs for.',
          'keystore-dir = "keystore"',
          'keystore-password-file = "keystore-password"',
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
