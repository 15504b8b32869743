import { join } from 'node:path';
import { SettingsConversion } from '@tetrad/service/settings-conversion';
import { UsageError } from '@tetrad/devnet/usage-error';
import { AdoptedFileError } from './adopted-file-error.js';
import type { AdoptOptions } from './adopt-options.js';
import { TIME_FLAGS, takeTimes } from './consensus-times.js';
import type { DescribedChain } from './describe-chain.js';
import { FOLDER_FLAGS, flagRule } from './flag-rules.js';
import { wholeNumber } from './flag-values.js';
import { gethFlags, type GethFlag } from './geth-flags.js';
import { API_FLAGS, takeNamespaces } from './namespaces.js';
import {
  NODE_LISTS,
  PERMISSION_CONFIG,
  assertOpens,
  parseJson,
  readDataFolder,
  readText,
  type AccountFile,
  type DataFolder,
} from './read-data-folder.js';

/** What `network adopt` found, and what it will write. */
export interface AdoptedNode {
  readonly conversion: SettingsConversion;
  readonly node: DataFolder;
  /** Path of the genesis file, of which only the chain id is checked here. */
  readonly genesisFile: string;
}

/** Flags that several rules or whole groups read; the others have a rule each. */
const GROUPED_FLAGS = [...FOLDER_FLAGS, ...API_FLAGS, ...TIME_FLAGS, 'metrics.port'];

/** GoQuorum's ports where its command names none; elsewhere other nodes would not find ours at the same place. */
const DEFAULT_PORTS = { peer: 30_303, rpc: 8_545 };

/**
 * Reads all and decides, and writes nothing.
 * @throws AdoptedFileError or UsageError, which name the file or flag
 */
export async function adoptNode(options: AdoptOptions): Promise<AdoptedNode> {
  const flags = gethFlags(options.command?.words ?? []);
  const last = (name: string) => flags.findLast((flag) => flag.name === name)?.value;
  const node = await readDataFolder(options.from, {
    nodekey: last('nodekey'),
    nodekeyhex: last('nodekeyhex'),
    keystore: last('keystore'),
  });
  const conversion = new SettingsConversion();
  takeIdentity(node, conversion);
  const genesis = await takeGenesis(options, conversion);
  takeLists(node, conversion);
  takePorts(node, options, { flags, conversion });
  for (const { name, value } of flags)
    if (!GROUPED_FLAGS.includes(name)) flagRule(name)(value, conversion, `--${name}`);
  takeOperationsPort(last('metrics.port'), conversion);
  takeNamespaces(flags, conversion);
  takeTimes(flags, genesis.config, conversion);
  takeManager(options, flags, conversion);
  takeOrdering(options, flags, conversion);
  await takeAccounts(node, { unlock: last('unlock'), password: last('password') }, conversion);
  conversion.ignore('geth/chaindata', 'node import-chain reads what geth export writes');
  return { conversion, node, genesisFile: genesis.path };
}

function takeIdentity({ nodeKey, nodeKeyFile, address }: DataFolder, conversion: SettingsConversion): void {
  conversion.take('data folder', 'data-dir', 'data');
  conversion.take(nodeKeyFile ?? '--nodekeyhex', 'node-key-file', 'nodekey');
  conversion.addFile({ name: 'nodekey', text: `${Buffer.from(nodeKey).toString('hex')}\n`, isSecret: true });
  conversion.rows.push({ setting: 'validator', outcome: 'taken', text: `address ${address}` });
}

interface GenesisFile {
  readonly path: string;
  readonly config: Readonly<Record<string, unknown>>;
}

async function takeGenesis(
  { genesis, from }: AdoptOptions,
  conversion: SettingsConversion,
): Promise<GenesisFile> {
  const path = genesis ?? join(from, 'genesis.json');
  const text = await readText(path);
  if (text === undefined) throw new AdoptedFileError(`--genesis: there is no ${path}`);
  const json = parseJson(text, path) as { config?: Record<string, unknown> } | null;
  const config = json?.config ?? {};
  const { chainId } = config;
  if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || chainId < 1)
    throw new AdoptedFileError(`${path}: config.chainId: is not a number`);
  conversion.take(path, 'genesis-file', 'genesis.json');
  conversion.addFile({ name: 'genesis.json', text, isSecret: false });
  return { path, config };
}

/**
 * Says what chain the node makes of the genesis file.
 * @throws UsageError where the settings are those of another engine
 */
export function takeChain(
  { chain, engine, genesisHash, warnings }: DescribedChain,
  { etcdEndpoints }: AdoptOptions,
  conversion: SettingsConversion,
): void {
  if (engine === 'raft' && etcdEndpoints.length === 0)
    throw new UsageError(
      '--etcd-endpoints: is required: the genesis file names neither qbft nor ibft, so that blocks are ordered by raft',
    );
  const text = `${engine}, chain id ${chain}, block 0 ${genesisHash}`;
  conversion.rows.push({ setting: 'genesis file', outcome: 'taken', text });
  for (const warning of warnings) conversion.ignore('genesis file', warning);
}

/** Node lists of permissions are read in the data folder, where GoQuorum has them. */
function takeLists({ files }: DataFolder, conversion: SettingsConversion): void {
  for (const name of [...NODE_LISTS, PERMISSION_CONFIG]) {
    const text = files.get(name);
    if (text === undefined) continue;
    const isStatic = name === 'static-nodes.json';
    conversion.addFile({ name: isStatic ? name : `data/${name}`, text, isSecret: false });
    if (isStatic) conversion.take(name, 'static-nodes-file', name);
    else conversion.rows.push({ setting: name, outcome: 'taken', text: `data/${name}` });
  }
}

/** The addresses by which clients and other nodes know this one. */
function takePorts(
  { nodeId, staticNodes }: DataFolder,
  { command }: AdoptOptions,
  { flags, conversion }: { readonly flags: readonly GethFlag[]; readonly conversion: SettingsConversion },
): void {
  const has = (name: string) => flags.some((flag) => flag.name === name);
  const own = staticNodes.find((enode) => enode.toLowerCase().startsWith(`enode://${nodeId}@`));
  const url = own !== undefined && URL.canParse(own) ? new URL(own) : undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  conversion.change('--port', 'peer-listen-host', host.includes(':') ? '::' : '0.0.0.0', 'all addresses');
  if (!has('port')) conversion.take('--port', 'peer-listen-port', Number(url?.port || DEFAULT_PORTS.peer));
  if (host !== '' && host !== '0.0.0.0' && !has('nat'))
    conversion.take('own entry of static-nodes.json', 'p2p-host', host);
  if (!has('http.port') && !has('rpcport'))
    conversion.take('--http.port', 'http-listen-port', DEFAULT_PORTS.rpc);
  if (command !== undefined && !has('mine') && !has('raft'))
    conversion.change('--mine (absent)', 'validator', false, 'the node followed the chain only');
}

/** The port that was scraped for metrics, else one beside that for clients. */
function takeOperationsPort(metricsPort: string | undefined, conversion: SettingsConversion): void {
  if (metricsPort === undefined) return conversion.addOperationsPort('http-listen-port');
  conversion.take('--metrics.port', 'ops-listen-port', wholeNumber(metricsPort, '--metrics.port'));
}

/** `PRIVATE_CONFIG` is a socket file, a configuration file that names one, or `ignore`. */
function takeManager(
  { command }: AdoptOptions,
  flags: readonly GethFlag[],
  conversion: SettingsConversion,
): void {
  const value = command?.environment.get('PRIVATE_CONFIG');
  if (value === undefined || flags.some(({ name }) => name === 'ptm.url' || name === 'ptm.socket')) return;
  if (value === 'ignore') return conversion.ignore('PRIVATE_CONFIG', 'no private transactions, as before');
  if (value.endsWith('.ipc') || value.endsWith('.sock') || value.endsWith('.socket'))
    return conversion.take('PRIVATE_CONFIG', 'ptm-url', value);
  throw new UsageError(
    `PRIVATE_CONFIG: ${value} is not a socket file: give --ptm.socket or --ptm.url in --command`,
  );
}

function takeOrdering(
  { etcdEndpoints }: AdoptOptions,
  flags: readonly GethFlag[],
  conversion: SettingsConversion,
): void {
  const isRaft = flags.some(({ name }) => name === 'raft');
  if (isRaft && etcdEndpoints.length === 0)
    throw new UsageError('--etcd-endpoints: is required for a network with raft; see docs/how-to/raft.md');
  if (etcdEndpoints.length > 0) conversion.take('--etcd-endpoints', 'etcd-endpoints', etcdEndpoints);
}

/** The accounts that were unlocked sign here; the others stay where they are. */
async function takeAccounts(
  { accounts }: DataFolder,
  { unlock, password }: { readonly unlock: string | undefined; readonly password: string | undefined },
  conversion: SettingsConversion,
): Promise<void> {
  const unlocked =
    unlock === undefined ? [] : unlock.split(',').map((one) => accountOf(one.trim(), accounts));
  for (const { name } of accounts.filter((account) => !unlocked.includes(account)))
    conversion.ignore(`keystore/${name}`, 'was locked; the signer or a keystore-dir of yours may use it');
  if (unlocked.length === 0) return;
  const text = password === undefined ? undefined : await readText(password);
  if (text === undefined) throw new UsageError(`--password: ${password ?? 'is not given'}, with --unlock`);
  const passwords = new Set(text.replace(/\r?\n$/, '').split(/\r?\n/));
  if (passwords.size !== 1)
    throw new UsageError(
      '--password: has different passwords; here one password opens all accounts of a node',
    );
  const [only = ''] = passwords;
  await assertOpens(unlocked, only);
  for (const { name, path } of unlocked) {
    conversion.addFile({ name: `keystore/${name}`, text: (await readText(path)) ?? '', isSecret: true });
    conversion.rows.push({ setting: `keystore/${name}`, outcome: 'taken', text: 'was unlocked, and signs' });
  }
  conversion.addFile({ name: 'keystore-password', text: `${only}\n`, isSecret: true });
  conversion.take('--unlock', 'keystore-dir', 'keystore');
  conversion.take('--password', 'keystore-password-file', 'keystore-password');
}

function accountOf(text: string, accounts: readonly AccountFile[]): AccountFile {
  const isIndex = /^\d{1,4}$/.test(text);
  const address = `0x${text.replace(/^0x/, '').toLowerCase()}`;
  const account = isIndex ? accounts[Number(text)] : accounts.find((one) => one.address === address);
  if (account === undefined) throw new UsageError(`--unlock: ${text} is not in the keystore`);
  return account;
}
