import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { askProgram } from './ask-program.js';
import { wantedPorts, type NetworkBase, type NetworkService } from './network-service.js';
import type { NodeFiles } from './node-files.js';
import { managerPorts, thirdPartyPort } from './ports.js';
import { ServiceProcess, type ServiceProcessOptions } from './service-process.js';

const POLL_MS = 100;
/** Managers of a development network exchange party information often, so that one that was down is found soon. */
const PEER_INTERVAL = '1s';

/** The private transaction manager of one node. */
class ManagerProcess extends ServiceProcess {
  constructor(
    launch: ServiceProcessOptions,
    /** Where other managers reach it. */
    readonly peerUrl: string,
  ) {
    super(launch);
  }

  /** Keys whose managers it knows, its own included. */
  async knownKeys(): Promise<number> {
    const response = await fetch(`${this.peerUrl}/partyinfo`);
    return ((await response.json()) as { readonly keys: readonly unknown[] }).keys.length;
  }
}

/** How a node reaches its manager. */
export function managerUrl(portBase: number | undefined, index: number): string {
  return `http://127.0.0.1:${managerPorts(portBase, index).rpc}`;
}

/** Where applications reach a node's manager, as `ptm.keys` of client libraries does; no payload can be read there. */
export function thirdPartyUrl(portBase: number | undefined, at: { nodes: number; index: number }): string {
  return `http://127.0.0.1:${thirdPartyPort(portBase, at)}`;
}

/** The public key (base64) of a node's manager; undefined when it has none. */
export async function managerKey({ folder }: NodeFiles): Promise<string | undefined> {
  const file = `${keyName(folder)}.pub`;
  return existsSync(file) ? (await readFile(file, 'utf8')).trim() : undefined;
}

/** A manager for each node of block 0, each with a key and a database, and all known to each other. */
export const managerService: NetworkService<ManagerProcess> = {
  ports({ nodes, portBase }) {
    return Array.from({ length: nodes }, (_, index) => {
      const { rpc, ops, peer } = managerPorts(portBase, index);
      const applications = thirdPartyPort(portBase, { nodes, index });
      return wantedPorts(managerName(index), { clients: rpc, operations: ops, peers: peer, applications });
    }).flat();
  },
  databases: ({ nodes }) => Array.from({ length: nodes }, (_, index) => databaseName(index)),
  async prepare({ nodes, passwordFile }) {
    await makeKeys(nodes, passwordFile);
  },
  open: (base) => Promise.all(base.files.nodes.map((node, index) => openManager(base, node, index))),
  // A payload for a key that its manager does not know yet is refused.
  async join(managers, { signal }) {
    for (const manager of managers)
      while ((await manager.knownKeys()) < managers.length) await pause(POLL_MS, undefined, { signal });
  },
  // The endpoints file lists them with their nodes.
  endpoints: async () => ({}),
  rows: ({ nodes }) =>
    nodes.flatMap(({ ptm, ptmKey, ptmThirdParty }, index) =>
      ptm === null
        ? []
        : [[managerName(index), `${ptm}  key ${ptmKey}  applications ${ptmThirdParty}`] as const],
    ),
};

async function openManager(
  { options, files, databases, links, onEnded }: NetworkBase,
  node: NodeFiles,
  index: number,
): Promise<ManagerProcess> {
  const ports = managerPorts(options.portBase, index);
  const linkUrl = (of: number) => urlOf(links.managerPort?.(of) ?? managerPorts(options.portBase, of).peer);
  const others = files.nodes.map((_, other) => linkUrl(other));
  others.splice(index, 1);
  const values = {
    '--key-files': `${keyName(node.folder)}.key`,
    '--key-password-file': files.passwordFile,
    '--http-listen-port': String(ports.rpc),
    '--ops-listen-port': String(ports.ops),
    '--peer-listen-port': String(ports.peer),
    '--third-party-listen-port': String(thirdPartyPort(options.portBase, { nodes: options.nodes, index })),
    '--peer-interval': PEER_INTERVAL,
    ...(links.managerPort === undefined ? {} : { '--peer-url': linkUrl(index) }),
    ...(others.length === 0 ? {} : { '--peers': others.join(',') }),
  };
  const name = managerName(index);
  const launch: ServiceProcessOptions = {
    name,
    program: 'transaction-manager',
    opsPort: ports.ops,
    args: ['serve', '--migrate', ...Object.entries(values).flat()],
    environment: {
      TETRAD_TRANSACTION_MANAGER_DATABASE_URL: await databases.open(databaseName(index)),
    },
    logFile: join(options.dataDir, `${name}.log`),
    onEnded: (how) => onEnded?.(name, how),
  };
  return new ManagerProcess(launch, urlOf(ports.peer));
}

/** The password is a long random one, which a costly derivation would protect no better. */
const CHEAP_DERIVATION = ['--kdf-memory', '32', '--kdf-iterations', '1'];

/** Creates the key pairs of managers that have none, encrypted, in one process: most of its time is its start. */
async function makeKeys(nodes: readonly NodeFiles[], passwordFile: string): Promise<void> {
  const names = nodes.map(({ folder }) => keyName(folder)).filter((name) => !existsSync(`${name}.pub`));
  if (names.length === 0) return;
  // The public key is written last: a start that was interrupted before it left a key that nothing refers to.
  for (const name of names) await rm(`${name}.key`, { force: true });
  const out = names.flatMap((name) => ['--out', name]);
  const words = ['key', 'new', ...out, '--password-file', passwordFile, ...CHEAP_DERIVATION];
  await askProgram('transaction-manager', words);
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

const keyName = (folder: string) => join(folder, 'manager');

const databaseName = (index: number) => `tetrad_manager${index}`;

const managerName = (index: number) => `manager${index}`;
