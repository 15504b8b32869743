import { parseArgs } from 'node:util';
import { nearest } from '@tetrad/service/command-words';
import { CHAIN_RULE_FLAGS, CHAIN_RULE_USAGE, readChainRules, type ChainRules } from './chain-rules.js';
import { readEtcdEndpoints } from './option-values.js';
import { UsageError } from '../usage-error.js';
import { readNodeOptions, type NodeOption } from './node-options.js';
import { PORTS_PER_NODE } from './ports.js';
import { NETWORK_SERVICES, type NetworkServiceName } from './service-names.js';

/** The settings of a development network. */
export interface NetworkOptions {
  readonly dataDir: string;
  /** Added to every default port; undefined takes the documented ones. */
  readonly portBase: number | undefined;
  readonly databaseUrl: string | undefined;
  readonly endpointsFile: string | undefined;
  readonly blockPeriodMs: number;
  readonly consensus: 'qbft' | 'ibft' | 'raft';
  /** Client URLs of the etcd cluster that orders blocks under raft; undefined for one of its own. */
  readonly etcdEndpoints: readonly string[] | undefined;
  /** Validators at block 0, or first members of the raft cluster, each a node of its own. */
  readonly nodes: number;
  /** Whether nodes connect, and accounts transact, only as permission contracts say. */
  readonly permissioned: boolean;
  /** Where the key of the signer is: in a key file, or on a token of SoftHSM. */
  readonly signerKeySource: 'file' | 'pkcs11';
  /** What the genesis file of a new network says; absent rules are the defaults. */
  readonly chainRules: ChainRules;
  /** Further options of every node. */
  readonly nodeOptions: readonly NodeOption[];
  /** Services in the order in which they start. */
  readonly services: readonly NetworkServiceName[];
}

const DEFAULT_SERVICES = 'node,signer,wallet,transaction-manager';

export const NETWORK_USAGE = `  --nodes N               validators, each a node of its own (default: 4; under raft members, default: 3)
  --consensus NAME        qbft (default), ibft, or raft: blocks are ordered by etcd, one of its own where etcd is installed
  --etcd-endpoints LIST   client URLs of the etcd cluster that orders blocks, with --consensus raft
  --permissioned          nodes connect and accounts transact only as permission contracts (model v2) say, which are deployed
                          at the first start: accounts of the nodes are network admins; the signer's and the funded ones
                          are members with full access
  --services LIST         ${DEFAULT_SERVICES} (the default), and rollup-operator,
                          whose contract is deployed at its first start; each node has a private transaction manager
  --signer-key-source S   file (the default), or pkcs11: the key of the signer is made on a token of SoftHSM 2, which signs;
                          it never leaves the token. To be given at every start
  --console               a web page that shows the network, as console in --services does
  --data-dir DIR          where everything is kept (default: .tetrad/network); started again, it resumes
  --port-base P           ports from P on, ten for each node: P (node), P+1 (operations), P+4 (peers), P+7
                          (transaction manager), P+8 (operations), P+9 (managers), P+10 (next node) and so on;
                          P+2 (signer), P+3 (operations), P+5 (wallet), P+6 (operations), P+12 (rollup operator),
                          P+13 (operations), P+15 (console), P+16 (operations); behind the ports of all
                          nodes one for the applications of each manager
  --database-url URL      a PostgreSQL server instead of the embedded one
  --endpoints-file FILE   where the addresses of everything are written once all are ready
  --block-period MS       time between blocks (default: 1000; under raft 50)
${CHAIN_RULE_USAGE}
  --node-options 'TEXT'   further options of every node, as on the command line of node, for example
                          --node-options '--rpc-alias istanbul=ibft --rpc-max-logs 1000'; to be given at every start`;

/** More do not fit between the default ports of nodes and of their operations. */
const MAX_NODES = 90;
const MAX_PORT = 65_535;

/**
 * Reads the options of `up` and `demo`.
 * @throws UsageError naming the option
 */
export function parseNetworkOptions(args: readonly string[]): NetworkOptions {
  const values = parse(args);
  const consensus = readConsensus(values.consensus ?? 'qbft');
  const isRaft = consensus === 'raft';
  const nodes = integer('--nodes', values.nodes ?? (isRaft ? '3' : '4'), { min: 1, max: MAX_NODES });
  return {
    dataDir: values['data-dir'] ?? '.tetrad/network',
    portBase:
      values['port-base'] === undefined
        ? undefined
        : integer('--port-base', values['port-base'], { min: 1024, max: MAX_PORT - portsOf(nodes) }),
    databaseUrl: values['database-url'],
    endpointsFile: values['endpoints-file'],
    blockPeriodMs: integer('--block-period', values['block-period'] ?? (isRaft ? '50' : '1000'), {
      min: 10,
      max: 3_600_000,
    }),
    nodes,
    consensus,
    etcdEndpoints:
      values['etcd-endpoints'] === undefined
        ? undefined
        : readEtcdEndpoints(values['etcd-endpoints'], isRaft),
    permissioned: values.permissioned === true,
    signerKeySource: readKeySource(values['signer-key-source'] ?? 'file'),
    chainRules: readChainRules(values),
    nodeOptions: readNodeOptions(values['node-options'] ?? ''),
    services: readServices(listOf(values)),
  };
}

const listOf = ({ services = DEFAULT_SERVICES, console }: Values) =>
  console === true ? `${services},console` : services;

/** Ports of a network with so many nodes: services have theirs among those of the first two. */
const portsOf = (nodes: number) => Math.max(nodes, 2) * PORTS_PER_NODE;

const FLAGS = {
  nodes: { type: 'string' },
  consensus: { type: 'string' },
  permissioned: { type: 'boolean' },
  services: { type: 'string' },
  console: { type: 'boolean' },
  'data-dir': { type: 'string' },
  'port-base': { type: 'string' },
  'database-url': { type: 'string' },
  'etcd-endpoints': { type: 'string' },
  'endpoints-file': { type: 'string' },
  'block-period': { type: 'string' },
  'node-options': { type: 'string' },
  'signer-key-source': { type: 'string' },
  ...CHAIN_RULE_FLAGS,
} as const;

/** The text of each option, or whether it is given. */
type Values = {
  readonly [Name in keyof typeof FLAGS]?: (typeof FLAGS)[Name]['type'] extends 'boolean' ? boolean : string;
};

function parse(args: readonly string[]): Values {
  const { values, tokens } = parseArgs({ args: [...args], options: FLAGS, strict: false, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`${token.value}: unexpected argument`);
    if (token.kind === 'option') checkOption(token, given);
  }
  return values as Values;
}

/** @throws UsageError naming the option */
function checkOption(
  {
    name,
    rawName,
    value,
  }: { readonly name: string; readonly rawName: string; readonly value?: string | undefined },
  given: Set<string>,
): void {
  const flag = Object.entries(FLAGS).find(([known]) => known === name)?.[1];
  if (flag === undefined) {
    const names = Object.keys(FLAGS).map((known) => `--${known}`);
    throw new UsageError(`${rawName}: unknown option${nearest(rawName, names)}`);
  }
  if (flag.type === 'string' && value === undefined) throw new UsageError(`${rawName}: requires a value`);
  if (flag.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName}: takes no value`);
  if (given.has(name)) throw new UsageError(`${rawName}: given twice`);
  given.add(name);
}

function integer(option: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`${option}: ${text} is not a whole number from ${min} to ${max}`);
  }
  return value;
}

function readConsensus(name: string): NetworkOptions['consensus'] {
  if (name === 'qbft' || name === 'ibft' || name === 'raft') return name;
  throw new UsageError(`--consensus: ${name} is not one of qbft, ibft, raft`);
}

function readKeySource(name: string): NetworkOptions['signerKeySource'] {
  if (name === 'file' || name === 'pkcs11') return name;
  throw new UsageError(`--signer-key-source: ${name} is not one of file, pkcs11`);
}

function readServices(list: string): NetworkServiceName[] {
  const names = list.split(',').filter((name) => name !== '');
  const known: readonly string[] = NETWORK_SERVICES;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`--services: ${unknown} is not one of ${known.join(', ')}`);
  if (!names.includes('node')) throw new UsageError('--services: a network needs the node');
  return NETWORK_SERVICES.filter((name) => names.includes(name));
}
