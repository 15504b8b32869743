import { crc32 } from 'node:zlib';
import { hashToBytes, parseAddress, type Address, type Hash } from '@tetrad/types';
import { FORK_KEYS, rulesAt, type ForkName, type ForkRules } from './forks.js';
import type { Genesis } from './genesis.js';

/** Target and maximum number of blobs of a block. */
export interface BlobSchedule {
  readonly baseFeeUpdateFraction: number;
  readonly max: number;
  readonly target: number;
}

/** The rules that a chain follows for a while (EIP-7910). */
export interface ForkDescription {
  /** Seconds since the epoch; 0 for a fork that began with the chain or at a block number. */
  readonly activationTime: number;
  readonly blobSchedule: BlobSchedule | null;
  /** `0x` and 8 hex digits. */
  readonly forkId: string;
  /** Names of EIP-7910 → address. */
  readonly precompiles: Readonly<Record<string, Address>>;
}

export interface ForkDescriptions {
  readonly current: ForkDescription;
  /** Undefined when no fork is planned. */
  readonly next: ForkDescription | undefined;
  readonly last: ForkDescription | undefined;
}

/** Names and addresses of precompiles with the fork that brought them (EIP-7910). */
const PRECOMPILES: readonly [string, number, ForkName][] = [
  ['ECREC', 0x01, 'chainstart'],
  ['SHA256', 0x02, 'chainstart'],
  ['RIPEMD160', 0x03, 'chainstart'],
  ['ID', 0x04, 'chainstart'],
  ['MODEXP', 0x05, 'byzantium'],
  ['BN254_ADD', 0x06, 'byzantium'],
  ['BN254_MUL', 0x07, 'byzantium'],
  ['BN254_PAIRING', 0x08, 'byzantium'],
  ['BLAKE2F', 0x09, 'istanbul'],
  ['KZG_POINT_EVALUATION', 0x0a, 'cancun'],
  ['BLS12_G1ADD', 0x0b, 'prague'],
  ['BLS12_G1MSM', 0x0c, 'prague'],
  ['BLS12_G2ADD', 0x0d, 'prague'],
  ['BLS12_G2MSM', 0x0e, 'prague'],
  ['BLS12_PAIRING_CHECK', 0x0f, 'prague'],
  ['BLS12_MAP_FP_TO_G1', 0x10, 'prague'],
  ['BLS12_MAP_FP2_TO_G2', 0x11, 'prague'],
  ['P256VERIFY', 0x100, 'osaka'],
];

/** Update fractions of EIP-4844 and EIP-7691. Blocks here have no blobs, so target and maximum are 0. */
const UPDATE_FRACTIONS = { cancun: 3_338_477, prague: 5_007_716 };

/** The rules at the head, the ones planned after them, and the last ones planned. */
export function describeForks(
  { forks }: Pick<Genesis, 'forks'>,
  genesisHash: Hash,
  head: { readonly number: number; readonly timestamp: number },
): ForkDescriptions {
  const points = (suffix: string) =>
    [...new Set(FORK_KEYS.filter((key) => key.endsWith(suffix)).map((key) => forks[key] ?? 0))]
      .filter((point) => point > 0)
      .sort((one, other) => one - other);
  const [blocks, times] = [points('Block'), points('Time')];
  const passedBlocks = blocks.filter((number) => number <= head.number);
  const at = (timestamp: number, passed: readonly number[]): ForkDescription =>
    describe(
      rulesAt(forks, { number: passed === blocks ? Number.MAX_SAFE_INTEGER : head.number, timestamp }),
      {
        activationTime: Math.max(0, ...times.filter((time) => time <= timestamp)),
        forkId: forkIdOf(genesisHash, [...passed, ...times.filter((time) => time <= timestamp)]),
      },
    );
  const planned = times.filter((time) => time > head.timestamp);
  const [nextTime, lastTime] = [planned[0], planned.at(-1)];
  return {
    current: at(head.timestamp, passedBlocks),
    // A fork by time comes after all forks by block number.
    next: nextTime === undefined ? undefined : at(nextTime, blocks),
    last: lastTime === undefined ? undefined : at(lastTime, blocks),
  };
}

function describe(
  rules: ForkRules,
  { activationTime, forkId }: Pick<ForkDescription, 'activationTime' | 'forkId'>,
): ForkDescription {
  const active = PRECOMPILES.filter(([, , since]) => rules.has(since));
  return {
    activationTime,
    forkId,
    blobSchedule: blobScheduleOf(rules),
    precompiles: Object.fromEntries(
      active.map(([name, address]) => [name, parseAddress(`0x${address.toString(16).padStart(40, '0')}`)]),
    ),
  };
}

function blobScheduleOf(rules: ForkRules): BlobSchedule | null {
  if (!rules.has('cancun')) return null;
  const { cancun, prague } = UPDATE_FRACTIONS;
  return { baseFeeUpdateFraction: rules.has('prague') ? prague : cancun, max: 0, target: 0 };
}

/** CRC-32 of the genesis hash (32) and of the points (8 each, big-endian) of all forks that have passed (EIP-2124). */
function forkIdOf(genesisHash: Hash, passed: readonly number[]): string {
  let checksum = crc32(hashToBytes(genesisHash));
  for (const point of passed) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(point));
    checksum = crc32(bytes, checksum);
  }
  return `0x${checksum.toString(16).padStart(8, '0')}`;
}
