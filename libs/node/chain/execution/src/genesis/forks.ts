import { GenesisError } from './genesis-error.js';

/** Forks in the order of Ethereum mainnet, with the genesis key that activates each. */
const FORKS = [
  { name: 'chainstart', key: undefined, by: 'block' },
  { name: 'homestead', key: 'homesteadBlock', by: 'block' },
  { name: 'tangerineWhistle', key: 'eip150Block', by: 'block' },
  { name: 'spuriousDragon', key: 'eip158Block', by: 'block' },
  { name: 'byzantium', key: 'byzantiumBlock', by: 'block' },
  { name: 'constantinople', key: 'constantinopleBlock', by: 'block' },
  { name: 'petersburg', key: 'petersburgBlock', by: 'block' },
  { name: 'istanbul', key: 'istanbulBlock', by: 'block' },
  { name: 'berlin', key: 'berlinBlock', by: 'block' },
  { name: 'london', key: 'londonBlock', by: 'block' },
  { name: 'shanghai', key: 'shanghaiTime', by: 'time' },
  { name: 'cancun', key: 'cancunTime', by: 'time' },
  { name: 'prague', key: 'pragueTime', by: 'time' },
  { name: 'osaka', key: 'osakaTime', by: 'time' },
] as const;

export type ForkName = (typeof FORKS)[number]['name'];
export const FORK_NAMES = FORKS.map(({ name }) => name);

/** Genesis key → block number or time of activation; a missing key means never. */
export type ForkSchedule = Readonly<Record<string, number | undefined>>;

export const FORK_KEYS: readonly string[] = FORKS.flatMap(({ key }) => (key === undefined ? [] : [key]));

/** The first fork that GoQuorum does not know, and all that follow it. */
export const FIRST_LATER_FORK = 'londonBlock';
export const LATER_FORK_KEYS: readonly string[] = FORK_KEYS.slice(FORK_KEYS.indexOf(FIRST_LATER_FORK));

/** Alternative key of a fork, read when the first one is missing. */
const TWINS: Readonly<Record<string, string>> = {
  eip158Block: 'eip155Block',
  petersburgBlock: 'constantinopleBlock',
};

const order = new Map<string, number>(FORKS.map(({ name }, index) => [name, index]));

/** The rules in force for a block. */
export interface ForkRules {
  readonly fork: ForkName;
  /** Whether the rules of the named fork are in force. */
  has(fork: ForkName): boolean;
  /** Bytes of deployed code; EIP-170's when absent. */
  readonly maxCodeSize?: number | undefined;
  /** Bytes of a transaction; the pool's own limit when absent. */
  readonly maxTransactionSize?: number | undefined;
  /** Gas limit of a transaction, infinite for none but the block's; the fork's when absent. */
  readonly maxTransactionGas?: number | undefined;
  /** Whether no transaction may offer a gas price. */
  readonly isGasFree?: boolean | undefined;
}

/**
 * The schedule of a `config`. As in geth, Constantinople without a block of Petersburg's brings both.
 * @throws GenesisError when a fork is before one that it builds on
 */
export function readForks(config: Readonly<Record<string, unknown>>): ForkSchedule {
  const schedule: Record<string, number | undefined> = {};
  const previous = new Map<'Block' | 'Time', { key: string; at: number }>();
  for (const key of FORK_KEYS) {
    const twin = TWINS[key];
    const at = config[key] ?? (twin === undefined ? undefined : config[twin]);
    if (typeof at !== 'number') continue;
    const kind = key.endsWith('Block') ? 'Block' : 'Time';
    const before = previous.get(kind);
    if (before !== undefined && at < before.at) {
      throw new GenesisError(`genesis config.${key}: ${at} is before ${before.key}`);
    }
    schedule[key] = at;
    previous.set(kind, { key, at });
  }
  return schedule;
}

/** The newest fork of the schedule that is active at the block. */
export function rulesAt(schedule: ForkSchedule, block: { number: number; timestamp: number }): ForkRules {
  let fork: ForkName = 'chainstart';
  for (const { name, key, by } of FORKS) {
    if (key === undefined) continue;
    const from = schedule[key];
    if (from !== undefined && from <= (by === 'block' ? block.number : block.timestamp)) fork = name;
  }
  const reached = order.get(fork) as number;
  return { fork, has: (name) => (order.get(name) as number) <= reached };
}

/** The schedule in which the fork and all before it are active from block 0 on. */
export function forksUpTo(fork: ForkName): ForkSchedule {
  const upTo = FORKS.slice(0, (order.get(fork) as number) + 1);
  return Object.fromEntries(upTo.flatMap(({ key }) => (key === undefined ? [] : [[key, 0]])));
}
