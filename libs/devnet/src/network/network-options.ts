import { parseArgs } from 'node:util';
import { UsageError } from '../usage-error.js';

/** Services that a network is made of. */
export type NetworkService = 'node' | 'signer' | 'wallet';

/** What a development network is to be. */
export interface NetworkOptions {
  readonly dataDir: string;
  /** Added to every default port; undefined takes the documented ones. */
  readonly portBase: number | undefined;
  readonly databaseUrl: string | undefined;
  readonly endpointsFile: string | undefined;
  readonly blockPeriodMs: number;
  readonly consensus: 'qbft' | 'ibft';
  readonly services: readonly NetworkService[];
}

export const NETWORK_USAGE = `  --nodes N               nodes of the network; one for now
  --consensus NAME        qbft (default) or ibft
  --services LIST         node,signer,wallet (default: all)
  --data-dir DIR          where everything is kept (default: .tetrad/network); started again, it resumes
  --port-base P           ports P (node), P+1 (operations), P+2 (signer), P+3 (operations), P+4 (peer),
                          P+5 (wallet), P+6 (operations)
  --database-url URL      a PostgreSQL server instead of the embedded one
  --endpoints-file FILE   where the addresses of everything are written once all are ready
  --block-period MS       time between blocks (default: 1000)`;

const SERVICES = ['node', 'signer', 'rollup-operator', 'wallet'];
const LATER_SERVICES = ['rollup-operator'];

/** Reads the options of `up` and `demo`. Fails: UsageError naming the option. */
export function parseNetworkOptions(args: readonly string[]): NetworkOptions {
  const values = parse(args);
  if (values.permissioned === true)
    throw new UsageError('--permissioned is not served yet: permissioning is a later part');
  const nodes = integer('--nodes', values.nodes ?? '1', { min: 1, max: 100 });
  if (nodes !== 1)
    throw new UsageError(
      `--nodes ${nodes} is not served yet: networks of several validators are a later part`,
    );
  return {
    dataDir: values['data-dir'] ?? '.tetrad/network',
    portBase:
      values['port-base'] === undefined
        ? undefined
        : integer('--port-base', values['port-base'], { min: 1024, max: 65_000 }),
    databaseUrl: values['database-url'],
    endpointsFile: values['endpoints-file'],
    blockPeriodMs: integer('--block-period', values['block-period'] ?? '1000', { min: 10, max: 3_600_000 }),
    consensus: readConsensus(values.consensus ?? 'qbft'),
    services: readServices(values.services ?? 'node,signer,wallet'),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        nodes: { type: 'string' },
        consensus: { type: 'string' },
        permissioned: { type: 'boolean' },
        services: { type: 'string' },
        'data-dir': { type: 'string' },
        'port-base': { type: 'string' },
        'database-url': { type: 'string' },
        'endpoints-file': { type: 'string' },
        'block-period': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function integer(option: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`${option}: ${text} is not a whole number from ${min} to ${max}`);
  }
  return value;
}

function readConsensus(name: string): 'qbft' | 'ibft' {
  if (name === 'qbft' || name === 'ibft') return name;
  if (name === 'raft')
    throw new UsageError('--consensus raft is not served yet: raft ordering is a later part');
  throw new UsageError(`--consensus: ${name} is none of qbft, ibft, raft`);
}

function readServices(list: string): NetworkService[] {
  const names = list.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !SERVICES.includes(name));
  if (unknown !== undefined) throw new UsageError(`--services: ${unknown} is none of ${SERVICES.join(', ')}`);
  const later = names.find((name) => LATER_SERVICES.includes(name));
  if (later !== undefined) throw new UsageError(`--services ${later} is not served yet: it is a later part`);
  if (!names.includes('node')) throw new UsageError('--services: a network needs the node');
  return names as NetworkService[];
}
