import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { addressFromPrivateKey, generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { writeKeyFile } from '@tetrad/keystore';
import { hexFromBytes, type Address } from '@tetrad/types';
import { makeGenesis } from '../network/network-files.js';
import { nodePorts, type NodePorts } from '../network/ports.js';
import { UsageError } from '../usage-error.js';
import type { NewNetworkOptions } from './new-network-options.js';
import { nodeToml } from './node-toml.js';

/** A node of the network that was written. */
export interface WrittenNode {
  readonly name: string;
  readonly address: Address;
  readonly enode: string;
  /** Undefined where its key is elsewhere. */
  readonly ports: NodePorts | undefined;
  /** The account that it signs for, if it has one. */
  readonly account: Address | undefined;
}

const FUND = 10n ** 27n;

/**
 * Makes the folder with everything in it, or nothing.
 *
 * Fails: UsageError when the folder is there and not empty
 */
export async function writeNetwork(options: NewNetworkOptions): Promise<readonly WrittenNode[]> {
  const dir = resolve(options.dir);
  await assertFree(dir);
  await mkdir(dirname(dir), { recursive: true });
  const draft = join(dirname(dir), `.${basename(dir)}.${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    const nodes = await writeAll(draft, options);
    await rename(draft, dir);
    return nodes;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function assertFree(dir: string): Promise<void> {
  const entries = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UsageError(`--dir ${dir}: ${error.code === 'ENOTDIR' ? 'is not a folder' : error.message}`);
  });
  if (entries.length > 0) throw new UsageError(`--dir ${dir}: already exists and is not empty`);
}

async function writeAll(folder: string, options: NewNetworkOptions): Promise<readonly WrittenNode[]> {
  const nodes =
    options.nodes?.map((known, index) => ({
      ...{ name: `node${index}`, address: known.address, enode: known.enode },
      ...{ ports: undefined, account: undefined },
    })) ?? (await writeNodes(folder, options));
  const balances = new Map(options.funds);
  for (const { account } of nodes) if (account !== undefined) balances.set(account, FUND);
  const genesis = await makeGenesis({
    ...{ chainId: options.chainId, engine: options.consensus, blockPeriodMs: options.blockPeriodMs },
    validators: nodes.map(({ address }) => address),
    balances: Object.fromEntries([...balances].map(([address, wei]) => [address, wei.toString()])),
    ...(options.gasLimit === undefined ? {} : { gasLimit: options.gasLimit.toString() }),
  });
  const staticNodes = `${JSON.stringify(
    nodes.map(({ enode }) => enode),
    null,
    2,
  )}\n`;
  const folders = [
    folder,
    ...(options.nodes === undefined ? nodes.map(({ name }) => join(folder, name)) : []),
  ];
  for (const one of folders) {
    await writeFile(join(one, 'genesis.json'), genesis);
    await writeFile(join(one, 'static-nodes.json'), staticNodes);
  }
  return nodes;
}

async function writeNodes(folder: string, options: NewNetworkOptions): Promise<readonly WrittenNode[]> {
  const { hosts, portBase, accounts } = options;
  const nodes: WrittenNode[] = [];
  for (const [index, host] of hosts.entries()) {
    const name = `node${index}`;
    const own = join(folder, name);
    await mkdir(own, { mode: 0o700 });
    const ports = nodePorts(portBase, hosts.slice(0, index).filter((other) => other === host).length);
    const key = generatePrivateKey();
    await writeFile(join(own, 'nodekey'), `${hexFromBytes(key).slice(2)}\n`, { mode: 0o600 });
    await writeFile(join(own, 'node.toml'), nodeToml({ name, host, ports, hasAccount: accounts }));
    const nodeId = hexFromBytes(publicKeyFromPrivateKey(key)).slice(2);
    const reachable = host.includes(':') ? `[${host}]` : host;
    nodes.push({
      ...{ name, ports, address: addressFromPrivateKey(key) },
      enode: `enode://${nodeId}@${reachable}:${ports.peer}?discport=0`,
      account: accounts ? await writeAccount(own) : undefined,
    });
  }
  return nodes;
}

/** An account under a password of its own; both are for the owner of the node only. */
async function writeAccount(folder: string): Promise<Address> {
  const keystore = join(folder, 'keystore');
  await mkdir(keystore, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  await writeFile(join(folder, 'keystore-password'), `${password}\n`, { mode: 0o600 });
  const privateKey = generatePrivateKey();
  await writeKeyFile(keystore, { privateKey, password, name: 'account-0' });
  return addressFromPrivateKey(privateKey);
}
