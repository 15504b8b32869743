import { UsageError } from '../usage-error.js';
import { readInteger } from './option-values.js';

/** What a new genesis file says of forks, sizes, gas and empty blocks, as the node's `write-genesis` takes it; defaults when absent. */
export interface ChainRules {
  /** The newest fork whose rules hold from block 0 on. */
  readonly fork?: string;
  readonly maxCodeKilobytes?: number;
  /** Gas of a block, decimal. */
  readonly gasLimit?: string;
  /** Whether transactions that offer a gas price are refused. */
  readonly isGasFree?: true;
  /** Seconds between blocks without transactions, under QBFT. */
  readonly emptyBlockPeriodSeconds?: number;
}

/** The forks that a new chain can have: those before Berlin lack what today's compilers and tools need. */
const FORKS: readonly string[] = ['berlin', 'london', 'shanghai', 'cancun', 'prague', 'osaka'];

/** Bounds in kB of `maxCodeSize`, as in GoQuorum. */
const CODE_KILOBYTES = { min: 24, max: 128 };
const GAS_LIMIT = { min: 100_000, max: 10_000_000_000 };
/** Seconds of `emptyblockperiodseconds`. */
const EMPTY_BLOCK_PERIOD = { min: 1, max: 3_600 };

/** The options, for `parseArgs`. */
export const CHAIN_RULE_FLAGS = {
  fork: { type: 'string' },
  'max-code-size': { type: 'string' },
  'gas-limit': { type: 'string' },
  'free-gas': { type: 'boolean' },
  'empty-block-period': { type: 'string' },
} as const;

export const CHAIN_RULE_USAGE = `  --fork NAME             the newest fork whose rules hold: ${FORKS.slice(0, -1).join(', ')} or ${FORKS.at(-1)} (default)
  --max-code-size KB      size of a contract's code, from ${CODE_KILOBYTES.min} to ${CODE_KILOBYTES.max} kB (default: 64)
  --gas-limit N           gas of a block (default: 300000000), and the most that a transaction can use
  --free-gas              refuse transactions that offer a gas price, as GoQuorum does; by default gas costs nothing, and
                          an offered price is paid to the block's proposer (docs/explanation/chain-rules.md)
  --empty-block-period S  seconds between blocks while there are no transactions, with --consensus qbft (default: the block
                          period)`;

interface ChainRuleValues {
  readonly fork?: string | undefined;
  readonly 'max-code-size'?: string | undefined;
  readonly 'gas-limit'?: string | undefined;
  readonly 'free-gas'?: boolean | undefined;
  readonly 'empty-block-period'?: string | undefined;
  readonly consensus?: string | undefined;
}

/**
 * Reads the options that decide the rules of a new chain, whose consensus is qbft when none is named.
 *
 * @param values - what `parseArgs` found
 * @returns the rules that were given; the others are absent
 * @throws UsageError naming the option
 */
export function readChainRules(values: ChainRuleValues): ChainRules {
  const { fork, 'max-code-size': codeSize, 'gas-limit': gasLimit, 'empty-block-period': empty } = values;
  if (fork !== undefined && !FORKS.includes(fork))
    throw new UsageError(`--fork: ${fork} is not one of ${FORKS.join(', ')}`);
  if (empty !== undefined && (values.consensus ?? 'qbft') !== 'qbft')
    throw new UsageError('--empty-block-period: goes with --consensus qbft');
  return {
    ...(fork === undefined ? {} : { fork }),
    ...(codeSize === undefined
      ? {}
      : { maxCodeKilobytes: readInteger('--max-code-size', codeSize, CODE_KILOBYTES) }),
    ...(gasLimit === undefined ? {} : { gasLimit: String(readInteger('--gas-limit', gasLimit, GAS_LIMIT)) }),
    ...(values['free-gas'] === true ? { isGasFree: true } : {}),
    ...(empty === undefined
      ? {}
      : { emptyBlockPeriodSeconds: readInteger('--empty-block-period', empty, EMPTY_BLOCK_PERIOD) }),
  };
}

/** The fork keys of a genesis file's `config`, in the order of FORKS. */
const FORK_KEYS = ['berlinBlock', 'londonBlock', 'shanghaiTime', 'cancunTime', 'pragueTime', 'osakaTime'];

interface GenesisFile {
  readonly gasLimit?: unknown;
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * Compares given rules with those of a network that exists: its genesis file cannot change.
 *
 * @param rules - those that the command line gives
 * @param genesis - the network's genesis file, as JSON
 * @returns the first option that differs from the file; undefined when there is none
 */
export function differingRule(rules: ChainRules, genesis: GenesisFile): string | undefined {
  const { config = {} } = genesis;
  const { transitions } = config;
  const isGasFree =
    Array.isArray(transitions) &&
    transitions.some((one: { readonly gasPriceEnabled?: unknown }) => one.gasPriceEnabled === false);
  const newest = FORKS[FORK_KEYS.findLastIndex((key) => config[key] !== undefined)];
  if (rules.fork !== undefined && rules.fork !== newest) return '--fork';
  if (rules.maxCodeKilobytes !== undefined && rules.maxCodeKilobytes !== (config['maxCodeSize'] ?? 24))
    return '--max-code-size';
  if (rules.gasLimit !== undefined && BigInt(rules.gasLimit) !== BigInt(String(genesis.gasLimit)))
    return '--gas-limit';
  if (rules.isGasFree === true && !isGasFree) return '--free-gas';
  return isOtherEmptyPeriod(rules, config['qbft']) ? '--empty-block-period' : undefined;
}

function isOtherEmptyPeriod({ emptyBlockPeriodSeconds: given }: ChainRules, qbft: unknown): boolean {
  const { emptyblockperiodseconds: found } = (qbft ?? {}) as { readonly emptyblockperiodseconds?: unknown };
  return given !== undefined && given !== found;
}
