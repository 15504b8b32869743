import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { NonceTurns } from './nonce-turns.js';

const account = parseAddress(`0x${'11'.repeat(20)}`);

/** A client that accepts a nonce exactly when it is the next one. */
function createClient() {
  const state = { next: 7n, asked: 0 };
  const turns = new NonceTurns(async () => {
    state.asked += 1;
    return state.next;
  });
  const submit = async (nonce: bigint) => {
    await new Promise((tick) => setImmediate(tick));
    if (nonce !== state.next) throw new Error(`nonce ${nonce} instead of ${state.next}`);
    state.next += 1n;
    return nonce;
  };
  return { state, turns, submit };
}

describe('nonces of one account', () => {
  it('follow each other for sends that come at the same time, and the client is asked once', async () => {
    const { state, turns, submit } = createClient();
    const nonces = await Promise.all(Array.from({ length: 100 }, () => turns.take(account, submit)));
    expect(nonces).toEqual(Array.from({ length: 100 }, (_, index) => 7n + BigInt(index)));
    expect(state.asked).toBe(1);
  });

  it('are given again when a submission fails', async () => {
    const { turns, submit } = createClient();
    const results = await Promise.allSettled([
      turns.take(account, submit),
      turns.take(account, async () => {
        throw new Error('refused');
      }),
      turns.take(account, submit),
    ]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      7n,
      'failed',
      8n,
    ]);
  });

  it('are asked for again once the account is idle', async () => {
    const { state, turns, submit } = createClient();
    await turns.take(account, submit);
    state.next = 20n;
    expect(await turns.take(account, submit)).toBe(20n);
  });
});
