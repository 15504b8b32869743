import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addressFromPrivateKey, generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { writeKeyFile } from '@tetrad/keystore';
import { hexFromBytes, type Address } from '@tetrad/types';
import {
  FIRST_RAFT_PORT,
  managerPorts,
  nodePorts,
  type ManagerPorts,
  type NodePorts,
} from '@tetrad/devnet/network/ports';
import { serviceMain } from '@tetrad/devnet/paths';
import { managerToml, managerUrlAt } from './manager-toml.js';
import type { NewNetworkOptions } from './new-network-options.js';
import { nodeToml } from './node-toml.js';
import { placeDatabase, type ServiceDatabase } from './service-database.js';

/** The addresses of a node and its manager. */
export interface PlacedNode {
  readonly name: string;
  readonly host: string;
  readonly ports: NodePorts;
  /** Part of its enode URL under raft; no process listens on it. */
  readonly raftPort: number | undefined;
  /** Undefined without a manager. */
  readonly manager: ManagerPorts | undefined;
}

/** A node of the network that was written. */
export interface WrittenNode {
  readonly name: string;
  readonly address: Address;
  readonly enode: string;
  /** Undefined where its key is elsewhere. */
  readonly ports: NodePorts | undefined;
  /** The account that it signs for, if it has one. */
  readonly account: Address | undefined;
  /** Public key (base64) of its manager, if it has one. */
  readonly managerKey: string | undefined;
  /** On the PostgreSQL server that was named. */
  readonly databases: readonly ServiceDatabase[];
}

/** Ports one after the other for the nodes of one host. */
export function placeNodes({ hosts, portBase, hasPrivacy, consensus }: NewNetworkOptions): PlacedNode[] {
  return hosts.map((host, index) => {
    const place = hosts.slice(0, index).filter((other) => other === host).length;
    const manager = hasPrivacy ? managerPorts(portBase, place) : undefined;
    const raftPort = consensus === 'raft' ? FIRST_RAFT_PORT + place : undefined;
    return { name: `node${index}`, host, ports: nodePorts(portBase, place), raftPort, manager };
  });
}

/** Creates the folder of a node: keys, accounts and configuration, its manager's included. */
export async function writeNodeFolder(
  folder: string,
  node: PlacedNode,
  {
    all,
    options,
  }: {
    readonly all: readonly PlacedNode[];
    readonly options: Pick<
      NewNetworkOptions,
      'accounts' | 'blockPeriodMs' | 'databaseUrl' | 'etcdEndpoints' | 'permissioned'
    >;
  },
): Promise<WrittenNode> {
  const { name, host, ports, raftPort, manager } = node;
  const { accounts, permissioned, etcdEndpoints, blockPeriodMs, databaseUrl } = options;
  await mkdir(folder, { mode: 0o700 });
  const key = generatePrivateKey();
  await writeFile(join(folder, 'nodekey'), `${hexFromBytes(key).slice(2)}\n`, { mode: 0o600 });
  const databases = await placeDatabases(folder, node, databaseUrl);
  const raft = raftPort === undefined ? undefined : { etcdEndpoints, blockPeriodMs };
  const toml = nodeToml({
    name,
    host,
    ports,
    raft,
    permissioned,
    hasAccount: accounts,
    managerPorts: manager,
    database: databases.node?.lines ?? [],
  });
  await writeFile(join(folder, 'node.toml'), toml);
  const nodeId = hexFromBytes(publicKeyFromPrivateKey(key)).slice(2);
  const reachable = host.includes(':') ? `[${host}]` : host;
  return {
    name,
    ports,
    address: addressFromPrivateKey(key),
    enode: `enode://${nodeId}@${reachable}:${ports.peer}?discport=0${raftPort === undefined ? '' : `&raftport=${raftPort}`}`,
    account: accounts ? await writeAccount(folder) : undefined,
    managerKey: await writeManager(folder, node, { all, database: databases.manager?.lines ?? [] }),
    databases: [databases.node, databases.manager].filter((database) => database !== undefined),
  };
}

/** Names and passwords on the server, for the node and its manager. */
async function placeDatabases(
  folder: string,
  { name, manager }: PlacedNode,
  server: NewNetworkOptions['databaseUrl'],
): Promise<{ readonly node?: ServiceDatabase; readonly manager?: ServiceDatabase }> {
  if (server === undefined) return {};
  const place = (database: string, passwordFile: string) =>
    placeDatabase(server, { name: `tetrad_${database}`, folder, passwordFile });
  const node = await place(name, 'database-password');
  if (manager === undefined) return { node };
  return { node, manager: await place(name.replace('node', 'manager'), 'manager-database-password') };
}

/** An account with a random password; both files are readable by the owner only. */
async function writeAccount(folder: string): Promise<Address> {
  const keystore = join(folder, 'keystore');
  await mkdir(keystore, { mode: 0o700 });
  const password = await writePassword(join(folder, 'keystore-password'));
  const privateKey = generatePrivateKey();
  await writeKeyFile(keystore, { privateKey, password, name: 'account-0' });
  return addressFromPrivateKey(privateKey);
}

async function writePassword(path: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  return password;
}

/**
 * Key pair and configuration of the manager.
 * @returns its public key
 */
async function writeManager(
  folder: string,
  { name, host, manager }: PlacedNode,
  { all, database }: { readonly all: readonly PlacedNode[]; readonly database: readonly string[] },
): Promise<string | undefined> {
  if (manager === undefined) return undefined;
  const peers = all.flatMap((other) =>
    other.name === name || other.manager === undefined ? [] : [managerUrlAt(other.host, other.manager)],
  );
  await writeFile(join(folder, 'manager.toml'), managerToml({ name, host, ports: manager, peers, database }));
  const passwordFile = join(folder, 'manager-password');
  await writePassword(passwordFile);
  const words = ['key', 'new', '--out', join(folder, 'manager'), '--password-file', passwordFile];
  const program = [serviceMain('transaction-manager'), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  const [, key] = /^public key +(\S+)$/m.exec(stdout) ?? [];
  if (key === undefined)
    throw new Error(`transaction-manager key new did not print the public key of ${name}`);
  return key;
}
