import { keccakHash } from '@tetrad/crypto';
import { RefusalError, type Address, type Hash } from '@tetrad/types';
import type { LaneClient } from '../src/index.js';
import { clientOf } from './replica.js';
import { refusal, type StrictChain } from './strict-chain.js';

/** Numbers in [0, 1) that follow from the seed. Source: mulberry32, public domain */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Fault = 'refuse' | 'silent-before' | 'silent-after' | 'late' | 'internal' | 'unsent' | 'duplicate';

/** How often a submission goes wrong, each way. */
const RATES: readonly (readonly [Fault, number])[] = [
  ['refuse', 0.03],
  ['silent-before', 0.02],
  ['silent-after', 0.02],
  ['late', 0.01],
  ['internal', 0.01],
  ['unsent', 0.01],
  ['duplicate', 0.01],
];

const pause = (ms: number) => new Promise<void>((tick) => setTimeout(tick, ms));

function timeOut(): RefusalError {
  const text = 'Connection to downstream node timed out';
  return new RefusalError('CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT', text);
}

function unsent(): RefusalError {
  const text = 'Failed to connect to downstream node';
  return new RefusalError('FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', text, { sent: false });
}

/** The chain behind a network that loses, delays, doubles and reorders, and refuses for no reason. */
export function faultyClient(chain: StrictChain, account: Address, random: () => number): LaneClient {
  const faultless = clientOf(chain, account);
  const quick = () => (random() < 0.3 ? pause(random() * 4) : Promise.resolve());
  const unreliable = async <T>(work: () => Promise<T>): Promise<T> => {
    await quick();
    if (random() < 0.01) throw unsent();
    return work();
  };
  return {
    pendingCount: () => unreliable(faultless.pendingCount),
    minedCount: () => unreliable(faultless.minedCount),
    knows: (hash) => unreliable(() => faultless.knows(hash)),
    async submit(raw) {
      await quick();
      const hash = await submitWith(pick(random), { chain, raw, random });
      await quick();
      return hash;
    },
  };
}

function pick(random: () => number): Fault | undefined {
  let left = random();
  for (const [fault, rate] of RATES) {
    left -= rate;
    if (left < 0) return fault;
  }
  return undefined;
}

async function submitWith(
  fault: Fault | undefined,
  { chain, raw, random }: { chain: StrictChain; raw: Uint8Array; random: () => number },
): Promise<Hash> {
  switch (fault) {
    case 'refuse':
      // No client refuses what it has.
      if (chain.knows(keccakHash(raw))) break;
      throw refusal('insufficient funds for gas * price + value');
    case 'silent-before':
      throw timeOut();
    case 'silent-after':
      chain.submit(raw);
      throw timeOut();
    case 'late':
      setTimeout(() => quietly(() => chain.submit(raw)), random() * 80);
      throw timeOut();
    case 'internal':
      if (random() < 0.5) quietly(() => chain.submit(raw));
      throw refusal('Internal error', -32603);
    case 'unsent':
      throw unsent();
    case 'duplicate':
      quietly(() => chain.submit(raw));
  }
  return chain.submit(raw);
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // Nobody hears the answer.
  }
}
