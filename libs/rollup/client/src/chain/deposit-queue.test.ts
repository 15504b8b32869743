import { describe, expect, it } from '@jest/globals';
import { readDepositQueue } from './deposit-queue.js';
import type { RollupContract } from './rollup-contract.js';

const NOW = 1_000_000;
const TIMEOUT = 400n;

/** @param options - how many were made and taken, and seconds from now until the last one is overdue */
function queueOf({ made, taken, due = 0n }: { made: bigint; taken: bigint; due?: bigint }) {
  const words: Readonly<Record<string, bigint>> = {
    depositCount: made,
    nextDeposit: taken,
    stallTimeout: TIMEOUT,
    depositsPerTimeout: 3n,
  };
  const contract = {
    client: { head: async () => ({ number: 7, timestamp: NOW }) },
    read: async (name: string) => words[name],
    values: async (_: string, [index]: readonly bigint[]) =>
      index === made - 1n ? [1n, 0n, 5n, BigInt(NOW) + due] : [],
  } as unknown as RollupContract;
  return readDepositQueue(contract);
}

describe('the queue of deposits', () => {
  it('gives the operator the time-out for a deposit behind none, or behind those that are soon due', async () => {
    const free = { waiting: 0n, seconds: TIMEOUT, stallTimeout: TIMEOUT };
    expect(await queueOf({ made: 9n, taken: 9n })).toEqual(free);
    expect(await queueOf({ made: 9n, taken: 8n, due: 200n })).toEqual({ ...free, waiting: 1n });
    expect(await queueOf({ made: 9n, taken: 8n, due: -5_000n })).toEqual({ ...free, waiting: 1n });
  });

  it('gives it a share of the time-out more than the last one', async () => {
    const queue = await queueOf({ made: 1_009n, taken: 9n, due: 133_000n });
    expect(queue).toEqual({ waiting: 1_000n, seconds: 133_134n, stallTimeout: TIMEOUT });
  });
});
