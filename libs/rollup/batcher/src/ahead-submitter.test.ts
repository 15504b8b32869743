import { describe, expect, it } from '@jest/globals';
import type { FeeMarket, Fees } from '@tetrad/rollup-chain';
import { parseHash } from '@tetrad/types';
import { AheadSubmitter } from './ahead-submitter.js';
import type { SubmissionView } from './submission-rule.js';

const LIMIT = 500n;
const head = { number: 1, hash: parseHash(`0x${'22'.repeat(32)}`), timestamp: 1 };
const attempt = {
  hash: parseHash(`0x${'11'.repeat(32)}`),
  nonce: 7,
  sentAt: 0,
  maxFee: 1n,
  maxPriorityFee: 1n,
  isKnown: true,
  isOutdated: false,
};
/** The batch that is next, which was sent. */
const first: SubmissionView = {
  height: 1,
  previousStateRoot: 4n,
  nextStateRoot: 5n,
  now: 0,
  contract: { height: 0, stateRoot: 4n },
  nonce: 7,
  market: { baseFee: 7n, gasPrice: 9n },
  attempts: [attempt],
  failures: 0,
};
/** One behind it, which is proven. */
const behind = {
  height: 2,
  state: 'proven',
  proof: new Uint8Array(1),
  roots: { previousState: 5n, state: 6n, account: 1n, orders: 1n },
};

async function offered(market: FeeMarket): Promise<readonly (Fees & { readonly nonce: number })[]> {
  const sent: (Fees & { readonly nonce: number })[] = [];
  const submitter = new AheadSubmitter({
    store: {
      findBatch: async (height) => (height === behind.height ? (behind as never) : undefined),
      listSubmissions: async () => [],
    },
    market: async () => market,
    maxFeeLimit: LIMIT,
    attempt: async () => attempt,
    send: async (_, { nonce, fees }) => void sent.push({ nonce, ...fees }),
  });
  expect(await submitter.step(first, head)).toBe(sent.length > 0);
  return sent;
}

describe('a batch that is sent behind another one', () => {
  it('offers no more than the limit, however much the client asks', async () => {
    expect(await offered({ baseFee: 7n, gasPrice: 9n })).toEqual([
      { nonce: 8, maxFee: 16n, maxPriorityFee: 2n },
    ]);
    expect(await offered({ baseFee: 7n, gasPrice: 10n ** 15n })).toEqual([
      { nonce: 8, maxFee: LIMIT, maxPriorityFee: LIMIT },
    ]);
  });

  it('waits while the base fee is above the limit', async () => {
    expect(await offered({ baseFee: LIMIT + 1n, gasPrice: LIMIT + 2n })).toEqual([]);
  });
});
