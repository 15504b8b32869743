import { keccakHash } from '@tetrad/crypto';
import { ForwardedError } from '@tetrad/rpc';
import { RequestError, type Address, type Hash } from '@tetrad/types';
import type { SequenceClient } from '../src/index.js';
import { clientOf } from './replica.js';
import { decode, rejection, type StrictChain, type TestTransaction } from './strict-chain.js';

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

function timeOut(): RequestError {
  const text = 'Connection to downstream node timed out';
  return new RequestError('CONNECTION_TO_DOWNSTREAM_NODE_TIMED_OUT', text);
}

function unsent(): RequestError {
  const text = 'Failed to connect to downstream node';
  return new RequestError('FAILED_TO_CONNECT_TO_DOWNSTREAM_NODE', text, { sent: false });
}

/** Outcomes of submissions, by the ids of their transactions. */
export class SubmissionLog {
  /** As submitted last. */
  readonly submitted = new Map<string, TestTransaction>();
  readonly refused = new Set<string>();
}

export interface FaultyClientOptions {
  readonly chain: StrictChain;
  readonly random: () => number;
  readonly log: SubmissionLog;
}

/** What says that the client does not have the bytes. */
const REFUSED = /funds|too low|underpriced/;

/** The chain behind a network that loses, delays, doubles and reorders, and refuses for no reason. */
export function faultyClient(account: Address, { chain, random, log }: FaultyClientOptions): SequenceClient {
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
    chain: () => unreliable(faultless.chain),
    async submit(raw) {
      const transaction = decode(raw);
      log.submitted.set(transaction.id, transaction);
      await quick();
      try {
        return await submitWith(pick(random), { chain, raw, random });
      } catch (error) {
        if (error instanceof ForwardedError && REFUSED.test(error.message)) log.refused.add(transaction.id);
        throw error;
      } finally {
        await quick();
      }
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
      throw rejection('insufficient funds for gas * price + value');
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
      throw rejection('Internal error', -32603);
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
    // The answer is lost.
  }
}
