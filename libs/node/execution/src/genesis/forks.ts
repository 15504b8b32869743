import type { Common } from '@ethereumjs/common';
import { Hardfork, Mainnet, createCustomCommon } from '@ethereumjs/common';
import { paramsTx } from '@ethereumjs/tx';
import type { KZG } from '@ethereumjs/util';
import { keccak256, recoverPublicKey } from '@tetrad/crypto';
import { verifyProof } from '../executor/point-evaluation.js';

/** Rule sets in the order in which Ethereum took them up, with the genesis key that activates each. */
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

/** Genesis key → block number or time of activation; a missing key means never. */
export type ForkSchedule = Readonly<Record<string, number | undefined>>;

export const FORK_KEYS: readonly string[] = FORKS.flatMap(({ key }) => (key === undefined ? [] : [key]));

const order = new Map<string, number>(FORKS.map(({ name }, index) => [name, index]));

/** The rules in force for a block. */
export interface ForkRules {
  readonly fork: ForkName;
  /** Whether the rules of the named fork are in force. */
  has(fork: ForkName): boolean;
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

/** All of today's rules from block 0 on. */
export const CURRENT_RULES: ForkSchedule = forksUpTo('osaka');

/** EthereumJS' form of the rules, one per fork, with native cryptography. */
export function createCommons(chainId: bigint): (fork: ForkName) => Common {
  const commons = new Map<ForkName, Common>();
  return (fork) => {
    let common = commons.get(fork);
    if (common === undefined) {
      common = createCustomCommon({ name: 'tetrad', chainId: Number(chainId) }, Mainnet, {
        hardfork: Hardfork[capitalise(fork) as keyof typeof Hardfork],
        customCrypto: { keccak256, ecrecover: recoverForPrecompile, kzg: { verifyProof } as KZG },
      });
      common.updateParams(paramsTx);
      commons.set(fork, common);
    }
    return common;
  };
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** What the ECRECOVER precompile calls: v is 27 or 28, the result 64 bytes. */
function recoverForPrecompile(digest: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array): Uint8Array {
  return recoverPublicKey(digest, { r: leftPad(r), s: leftPad(s), parity: v === 27n ? 0 : 1 });
}

function leftPad(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 32) return bytes;
  const padded = new Uint8Array(32);
  padded.set(bytes, 32 - bytes.length);
  return padded;
}
