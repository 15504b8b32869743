import { parseArgs } from 'node:util';
import { choiceOption, durationOption, integerOption } from '@tetrad/service';

/** The benchmarks to run, and the options of chaos, idle, soak, storage and upgrade. */
export interface BenchWords {
  readonly names: readonly string[];
  readonly chaos: ChaosWords;
  readonly upgrade: UpgradeWords;
  readonly idle: IdleWords;
  readonly soak: SoakWords;
  readonly storage: StorageWords;
}

export interface StorageWords {
  /** Blocks whose states the node keeps; undefined for all. */
  readonly stateHistory: number | undefined;
}

export interface SoakWords {
  /** How long the load at half of the maximum goes on; undefined for a number of transactions at full speed. */
  readonly durationMs: number | undefined;
}

export interface IdleWords {
  readonly durationMs: number;
}

export interface UpgradeWords {
  /** The revision whose programs the network runs at first. */
  readonly from: string;
}

export interface ChaosWords {
  readonly durationMs: number;
  readonly seed: number;
  readonly consensus: 'ibft' | 'qbft' | 'raft';
}

/** An invalid argument of the command line; the message names it. */
export class BenchWordsError extends Error {
  override readonly name = 'BenchWordsError';
}

const DEFAULTS: ChaosWords = { durationMs: 600_000, seed: 20_261_121, consensus: 'qbft' };
const DEFAULT_FROM = 'HEAD~50';
const DURATION = durationOption({ min: 10_000, max: 24 * 3_600_000 });
const CONSENSUS = choiceOption('qbft', 'ibft', 'raft');
const BLOCKS = integerOption({ min: 1, max: 1_000_000_000 });
const SEED = integerOption({ min: 0, max: 2 ** 32 - 1 });

export const OPTIONS_USAGE = `Options of chaos:
  --duration DURATION   how long it goes on, such as 90s or 10m (default: 10m)
  --consensus NAME      qbft (default), ibft, or raft, on an etcd cluster of three members that are killed too
  --seed N              decides what is killed, and when (default: ${DEFAULTS.seed})

Options of idle:
  --duration DURATION   how long it is measured (default: 10m)

Options of soak:
  --duration DURATION   sends at half of the maximum for so long, such as 2h, in place of 100,000 transactions at once

Options of storage:
  --state-history N     the node keeps the states of so many blocks (default: of all)

Options of upgrade:
  --from REVISION       whose programs the network runs before it is upgraded (default: ${DEFAULT_FROM})`;

/** Benchmarks that have an option; chaos has the others. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  from: ['upgrade'],
  'state-history': ['storage'],
  duration: ['chaos', 'idle', 'soak'],
};

/**
 * @param cases - names of benchmarks
 * @throws BenchWordsError
 */
export function readBenchWords(args: readonly string[], cases: readonly string[]): BenchWords {
  const { values, positionals } = parse(args);
  const names = positionals.flatMap((name) => (name === 'all' ? cases : [name]));
  for (const option of Object.keys(values)) {
    const owners = OWNERS[option] ?? ['chaos'];
    if (!owners.some((owner) => names.includes(owner)))
      throw new BenchWordsError(`--${option}: an option of ${owners.join(' and ')} only`);
  }
  const given = read('--duration', DURATION, values.duration);
  const durationMs = given ?? DEFAULTS.durationMs;
  return {
    names,
    upgrade: { from: values.from ?? DEFAULT_FROM },
    idle: { durationMs },
    soak: { durationMs: given },
    storage: { stateHistory: read('--state-history', BLOCKS, values['state-history']) },
    chaos: {
      durationMs,
      seed: read('--seed', SEED, values.seed) ?? DEFAULTS.seed,
      consensus: read('--consensus', CONSENSUS, values.consensus) ?? DEFAULTS.consensus,
    },
  };
}

function parse(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const options = { duration: text, seed: text, consensus: text, from: text, 'state-history': text };
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new BenchWordsError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws BenchWordsError with the rule that the text breaks */
function read<T>(option: string, kind: { parse(text: string): T }, text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : kind.parse(text);
  } catch (error) {
    throw new BenchWordsError(`${option}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
