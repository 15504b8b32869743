import { parseArgs } from 'node:util';
import { UsageError } from '../usage-error.js';
import { readEnodes, readFunds, readHosts, readInteger, type KnownNode } from './option-values.js';
import type { Address } from '@tetrad/types';

/** What a network of one's own is to be. */
export interface NewNetworkOptions {
  /** The folder that is made. */
  readonly dir: string;
  readonly consensus: 'qbft' | 'ibft';
  /** A host for each validator of block 0. */
  readonly hosts: readonly string[];
  /** Validators whose keys are elsewhere; then no node folders are made. */
  readonly nodes: readonly KnownNode[] | undefined;
  readonly chainId: number;
  readonly blockPeriodMs: number;
  readonly gasLimit: bigint | undefined;
  /** Address → wei at block 0. */
  readonly funds: ReadonlyMap<Address, bigint>;
  /** Whether each node gets an account that it signs for. */
  readonly accounts: boolean;
  readonly portBase: number | undefined;
}

/** What the help of `network` says of `network new`. */
export const NEW_NETWORK_HELP = `Writes what a network of your own starts from: genesis.json, and for each validator a folder with its node key,
genesis.json, static-nodes.json and node.toml, to be taken to the host on which it runs. docs/new-network.md
shows the whole way.

  --dir DIR               the folder that is made
  --validators N          validators at block 0, each a node of its own (default: 4)
  --consensus NAME        qbft (default) or ibft
  --hosts LIST            a host name or address for each node, by which the others reach it (default: all on this
                          host); nodes of one host get ports one after the other
  --enodes LIST           the validators' enode URLs, from node enode, where everybody makes a key of their own: then
                          only genesis.json and static-nodes.json are written
  --chain-id N            (default: 1337)
  --block-period MS       time between blocks (default: 1000)
  --gas-limit N           gas of a block
  --fund LIST             ADDRESS or ADDRESS=WEI, what accounts own at block 0 (default: 10^27 wei); gas is free
  --accounts              an account for each node, which it signs for, with money at block 0
  --port-base P           ports from P on, ten for each node: P (RPC), P+1 (operations), P+4 (peers); by default
                          22000, 22100 and 21000`;

/** More are no network of people any more; a header lists each of them. */
const MAX_VALIDATORS = 1_000;

/** Reads the command line after `network new`. Fails: UsageError naming the option. */
export function parseNewNetworkOptions(args: readonly string[]): NewNetworkOptions {
  const values = parse(args);
  const { dir, consensus = 'qbft' } = values;
  if (dir === undefined || dir === '') throw new UsageError('--dir is required: the folder to create');
  if (values.permissioned === true)
    throw new UsageError('--permissioned is not served yet: permissioning is a later part');
  if (consensus !== 'qbft' && consensus !== 'ibft')
    throw new UsageError(`--consensus: ${consensus} is not one of qbft, ibft`);
  const nodes = values.enodes === undefined ? undefined : readEnodes(values.enodes);
  if (nodes !== undefined) refuseBeside(values, ['validators', 'hosts', 'accounts', 'port-base']);
  return {
    ...{ dir, consensus, nodes },
    hosts: nodes?.map(({ host }) => host) ?? readHosts(values.hosts, readValidators(values)),
    chainId: readInteger('--chain-id', values['chain-id'] ?? '1337', { min: 2, max: 2 ** 48 }),
    blockPeriodMs: readInteger('--block-period', values['block-period'] ?? '1000', {
      min: 10,
      max: 3_600_000,
    }),
    gasLimit:
      values['gas-limit'] === undefined
        ? undefined
        : BigInt(readInteger('--gas-limit', values['gas-limit'], { min: 100_000, max: 10_000_000_000 })),
    funds: readFunds(values.fund),
    accounts: values.accounts === true,
    portBase:
      values['port-base'] === undefined
        ? undefined
        : readInteger('--port-base', values['port-base'], { min: 1024, max: 55_000 }),
  };
}

type Values = ReturnType<typeof parse>;

function readValidators(values: Values): number {
  const hosts = values.hosts?.split(',').length;
  const text = values.validators ?? String(hosts ?? 4);
  return readInteger('--validators', text, { min: 1, max: MAX_VALIDATORS });
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
        hosts: { type: 'string' },
        enodes: { type: 'string' },
        'chain-id': { type: 'string' },
        'block-period': { type: 'string' },
        'gas-limit': { type: 'string' },
        fund: { type: 'string' },
        accounts: { type: 'boolean' },
        'port-base': { type: 'string' },
        permissioned: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
