import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder, onFile } from '@tetrad/files';
import { makeGenesis } from '@tetrad/devnet/network/network-files';
import type { NewNetworkOptions } from './new-network-options.js';
import { permissionsToml, writePermittedNodes } from './permission-files.js';
import { databasesSql } from './service-database.js';
import { placeNodes, writeNodeFolder, type WrittenNode } from './write-node-folder.js';

const FUND = 10n ** 27n;

/**
 * Creates the folder with everything in it, or nothing.
 * @throws Error when the folder exists and is not empty
 */
export async function writeNetwork(options: NewNetworkOptions): Promise<readonly WrittenNode[]> {
  const dir = resolve(options.dir);
  await assertFree(dir);
  await makeFolder(dirname(dir));
  const draft = join(dirname(dir), `.${basename(dir)}.${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    const nodes = await onFile(dir, () => writeAll(draft, options));
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
    throw new Error(`--dir ${dir}: ${error.code === 'ENOTDIR' ? 'is not a folder' : error.message}`);
  });
  if (entries.length > 0) throw new Error(`--dir ${dir}: already exists and is not empty`);
}

async function writeAll(folder: string, options: NewNetworkOptions): Promise<readonly WrittenNode[]> {
  const nodes = knownNodes(options) ?? (await writeNodes(folder, options));
  const genesis = await genesisOf(nodes, options);
  const enodes = nodes.map(({ enode }) => enode);
  const own = options.nodes === undefined ? nodes.map(({ name }) => join(folder, name)) : [];
  for (const one of [folder, ...own]) {
    await writeFile(join(one, 'genesis.json'), genesis);
    await writeFile(join(one, 'static-nodes.json'), `${JSON.stringify(enodes, null, 2)}\n`);
  }
  const databases = nodes.flatMap((node) => node.databases);
  if (databases.length > 0)
    await writeFile(join(folder, 'databases.sql'), databasesSql(databases), { mode: 0o600 });
  if (options.permissioned) {
    for (const one of own) await writePermittedNodes(one, enodes);
    await writeDeployment(folder, nodes);
  }
  return nodes;
}

/** Nodes whose keys are elsewhere. */
function knownNodes({ nodes }: NewNetworkOptions): WrittenNode[] | undefined {
  return nodes?.map((known, index) => ({
    name: `node${index}`,
    address: known.address,
    enode: known.enode,
    ports: undefined,
    account: undefined,
    managerKey: undefined,
    databases: [],
  }));
}

function genesisOf(nodes: readonly WrittenNode[], options: NewNetworkOptions): Promise<string> {
  const balances = new Map(options.funds);
  for (const { account } of nodes) if (account !== undefined) balances.set(account, FUND);
  return makeGenesis({
    chainId: options.chainId,
    engine: options.consensus,
    blockPeriodMs: options.blockPeriodMs,
    ...options.chainRules,
    hasPrivacy: options.hasPrivacy,
    validators: nodes.slice(0, nodes.length - options.members).map(({ address }) => address),
    balances: Object.fromEntries([...balances].map(([address, wei]) => [address, wei.toString()])),
  });
}

async function writeNodes(folder: string, options: NewNetworkOptions): Promise<WrittenNode[]> {
  const all = placeNodes(options);
  const nodes: WrittenNode[] = [];
  for (const node of all) nodes.push(await writeNodeFolder(join(folder, node.name), node, { all, options }));
  return nodes;
}

/** The first node deploys the contracts; the account of each is a network admin. */
async function writeDeployment(folder: string, nodes: readonly WrittenNode[]): Promise<void> {
  const [first] = nodes;
  if (first?.ports === undefined || first.account === undefined) return;
  const admins = nodes.flatMap(({ account }) => (account === undefined ? [] : [account]));
  const markers = nodes.map(({ name, address }) => [name, address] as const);
  const text = permissionsToml({ rpcPort: first.ports.rpc, from: first.account, admins, markers });
  await writeFile(join(folder, first.name, 'permissions.toml'), text);
}
