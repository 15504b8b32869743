import type { ManagerPorts } from '@tetrad/devnet/network/ports';
import { isLocalHost, listenHostOf } from './node-toml.js';

export interface ManagerToml {
  readonly name: string;
  /** The URL by which the others reach it. */
  readonly host: string;
  readonly ports: ManagerPorts;
  /** URLs of the other managers. */
  readonly peers: readonly string[];
  /** Lines about its own database; empty with an embedded one. */
  readonly database?: readonly string[];
}

/** Where other managers reach one. */
export function managerUrlAt(host: string, { peer }: ManagerPorts): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${peer}`;
}

/** The configuration file of the private transaction manager beside a node; paths are relative to their folder. */
export function managerToml({ name, host, ports, peers, database = [] }: ManagerToml): string {
  const lines = [
    `# Private transaction manager of ${name}: start it in this folder, with --config-file manager.toml.`,
    '# tetrad transaction-manager serve --help lists all options; each flag is a key here.',
    'data-dir = "manager-data"',
    'key-files = ["manager.key"]',
    'key-password-file = "manager-password"',
    '',
    '# For its node, on this host only: who can connect can read and send for the keys above.',
    `http-listen-port = ${ports.rpc}`,
    '',
    '# Health and metrics.',
    `ops-listen-port = ${ports.ops}`,
    '',
    '# For the other managers.',
    ...(isLocalHost(host)
      ? []
      : ['# With --peer-tls-… options it is https, here and in the lists of the others.']),
    `peer-listen-host = "${listenHostOf(host)}"`,
    `peer-listen-port = ${ports.peer}`,
    `peer-url = "${managerUrlAt(host, ports)}"`,
    `peers = [${peers.map((url) => `"${url}"`).join(', ')}]`,
    ...database,
  ];
  return `${lines.join('\n')}\n`;
}
