import { parseArgs } from 'node:util';
import { DatabaseUrl } from '@tetrad/db/database-url';
import { UsageError } from '@tetrad/devnet/usage-error';
import {
  CHAIN_RULE_FLAGS,
  CHAIN_RULE_USAGE,
  readChainRules,
  type ChainRules,
} from '@tetrad/devnet/network/chain-rules';
import {
  readEnodes,
  readEtcdEndpoints,
  readFunds,
  readHosts,
  readInteger,
  type KnownNode,
} from '@tetrad/devnet/network/option-values';
import type { Address } from '@tetrad/types';

/** The settings of a new network. */
export interface NewNetworkOptions {
  /** The folder to create. */
  readonly dir: string;
  readonly consensus: 'qbft' | 'ibft' | 'raft';
  /** Client URLs of the etcd cluster that orders blocks under raft; empty under validators. */
  readonly etcdEndpoints: readonly string[];
  /** A host for each node: the validators of block 0 first, then the members. */
  readonly hosts: readonly string[];
  /** Nodes at the end of the list that do not validate. */
  readonly members: number;
  /** Whether nodes have private transaction managers. */
  readonly hasPrivacy: boolean;
  /** Whether the configuration of permission contracts is written. */
  readonly permissioned: boolean;
  /** Nodes whose keys are elsewhere; then no node folders are created. */
  readonly nodes: readonly KnownNode[] | undefined;
  readonly chainId: number;
  readonly blockPeriodMs: number;
  /** What the genesis file says; absent rules are the defaults. */
  readonly chainRules: ChainRules;
  /** Address → wei at block 0. */
  readonly funds: ReadonlyMap<Address, bigint>;
  /** Whether each node gets an account that it signs for. */
  readonly accounts: boolean;
  readonly portBase: number | undefined;
  /** The PostgreSQL server on which each service has its database; undefined for embedded ones. */
  readonly databaseUrl: DatabaseUrl | undefined;
}

/** The help of `network new`. */
export const NEW_NETWORK_HELP = `Writes what a network of your own starts from: genesis.json, and for each node a folder with its node key,
genesis.json, static-nodes.json and node.toml, and the key and manager.toml of its private transaction manager, to be
taken to the host on which it runs. docs/how-to/new-network.md shows the whole way.

  --dir DIR               the folder that is made
  --validators N          validators at block 0, or first members under raft, each a node of its own (default: 4)
  --members N             further nodes that follow the chain and do not validate (default: 0); the last ones of the
                          lists below
  --consensus NAME        qbft (default), ibft, or raft: etcd orders the blocks (docs/how-to/raft.md)
  --etcd-endpoints LIST   client URLs of that etcd cluster, with --consensus raft
  --private               each node has a private transaction manager (the default); --no-private leaves them out
  --permissioned          also writes the configuration with which the permission contracts are deployed, and the list of
                          permitted nodes; implies --accounts, which are the first network admins
  --hosts LIST            a host name or address for each node, by which the others reach it (default: all on this
                          host); nodes of one host get ports one after the other
  --enodes LIST           the nodes' enode URLs, from node enode, when each operator creates a node key: then
                          only genesis.json and static-nodes.json are written
  --chain-id N            (default: 1337)
  --block-period MS       time between blocks (default: 1000; under raft 50)
${CHAIN_RULE_USAGE}
  --fund LIST             ADDRESS or ADDRESS=WEI, what accounts own at block 0 (default: 10^27 wei)
  --accounts              an account for each node, which it signs for, with money at block 0
  --database-url URL      your own PostgreSQL: each service gets its database and role there, as tetrad_node0, with a random
                          password in a file; databases.sql creates them. For TLS: ...?sslmode=verify-full
  --port-base P           ports from P on, ten for each node: P (RPC), P+1 (operations), P+4 (peers), P+7
                          (transaction manager), P+8 (its operations), P+9 (managers); by default 22000, 22100, 21000,
                          9080, 9380 and 9180`;

/** Far more validators than a network needs; a header lists each of them. */
const MAX_VALIDATORS = 1_000;
const MAX_MEMBERS = 1_000;

/**
 * Reads the command line after `network new`.
 * @throws UsageError naming the option
 */
export function parseNewNetworkOptions(args: readonly string[]): NewNetworkOptions {
  const values = parse(args);
  const { dir, consensus = 'qbft' } = values;
  if (dir === undefined || dir === '') throw new UsageError('--dir is required: the folder to create');
  if (consensus !== 'qbft' && consensus !== 'ibft' && consensus !== 'raft')
    throw new UsageError(`--consensus: ${consensus} is not one of qbft, ibft, raft`);
  const isRaft = consensus === 'raft';
  const etcdEndpoints = readEtcdEndpoints(values['etcd-endpoints'], isRaft);
  const nodes = values.enodes === undefined ? undefined : readEnodes(values.enodes, isRaft);
  if (nodes !== undefined)
    refuseBeside(values, ['validators', 'hosts', 'accounts', 'permissioned', 'port-base', 'database-url']);
  if (isRaft && values.members !== undefined)
    throw new UsageError('--members: under raft, nodes without a vote are added by raft_addLearner');
  const members = readInteger('--members', values.members ?? '0', { min: 0, max: MAX_MEMBERS });
  const hosts = nodes?.map(({ host }) => host) ?? readHosts(values.hosts, countNodes(values, members));
  if (members >= hosts.length)
    throw new UsageError(`--members: ${members} of ${hosts.length} nodes leave no validator`);
  const permissioned = values.permissioned === true;
  return {
    dir,
    consensus,
    etcdEndpoints,
    nodes,
    hosts,
    members,
    permissioned,
    hasPrivacy: readPrivate(values),
    chainId: readInteger('--chain-id', values['chain-id'] ?? '1337', { min: 2, max: 2 ** 48 }),
    blockPeriodMs: readInteger('--block-period', values['block-period'] ?? (isRaft ? '50' : '1000'), {
      min: 10,
      max: 3_600_000,
    }),
    chainRules: readChainRules(values),
    funds: readFunds(values.fund),
    accounts: values.accounts === true || permissioned,
    databaseUrl: readServer(values['database-url']),
    portBase:
      values['port-base'] === undefined
        ? undefined
        : readInteger('--port-base', values['port-base'], { min: 1024, max: 55_000 }),
  };
}

type Values = ReturnType<typeof parse>;

/** Nodes in all: as many as are asked for, or as there are hosts. */
function countNodes({ hosts, validators }: Values, members: number): number {
  if (validators === undefined) return hosts?.split(',').length ?? 4 + members;
  return readInteger('--validators', validators, { min: 1, max: MAX_VALIDATORS }) + members;
}

/** The names of databases and roles are ours, and passwords are not taken from the command line. */
function readServer(text: string | undefined): DatabaseUrl | undefined {
  if (text === undefined) return undefined;
  let url: DatabaseUrl;
  try {
    url = DatabaseUrl.parse(text);
  } catch (error) {
    throw new UsageError(`--database-url: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (url.user !== undefined || url.database !== undefined)
    throw new UsageError('--database-url: names a server only, without user, password and database');
  return url;
}

function readPrivate(values: Values): boolean {
  if (values.private === true && values['no-private'] === true)
    throw new UsageError('--no-private: cannot be used together with --private');
  return values['no-private'] !== true;
}

function refuseBeside(values: Values, names: readonly (keyof Values)[]): void {
  const other = names.find((name) => values[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other}: cannot be used together with --enodes`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        dir: { type: 'string' },
        validators: { type: 'string' },
        consensus: { type: 'string' },
        'etcd-endpoints': { type: 'string' },
        hosts: { type: 'string' },
        enodes: { type: 'string' },
        'chain-id': { type: 'string' },
        'block-period': { type: 'string' },
        ...CHAIN_RULE_FLAGS,
        fund: { type: 'string' },
        accounts: { type: 'boolean' },
        'port-base': { type: 'string' },
        'database-url': { type: 'string' },
        members: { type: 'string' },
        private: { type: 'boolean' },
        'no-private': { type: 'boolean' },
        permissioned: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
