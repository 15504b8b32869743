import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import fc from 'fast-check';
import { NonceTurns, type NonceTurn } from './nonce-turns.js';

const account = parseAddress(`0x${'11'.repeat(20)}`);
const other = parseAddress(`0x${'22'.repeat(20)}`);

const tick = () => new Promise((done) => setImmediate(done));

/** A client that accepts a nonce exactly when it is the next one. */
function createClient() {
  const state = { next: 7n, asked: 0 };
  const turns = new NonceTurns();
  const turn: NonceTurn<bigint> = {
    async pendingNonce() {
      state.asked += 1;
      await tick();
      return state.next;
    },
    async submit(nonce) {
      await tick();
      if (nonce !== state.next) throw new Error(`nonce ${nonce} instead of ${state.next}`);
      state.next += 1n;
      return nonce;
    },
  };
  const failing: NonceTurn<bigint> = {
    ...turn,
    async submit() {
      await tick();
      throw new Error('refused');
    },
  };
  return { state, turns, turn, failing };
}

describe('nonces of one account', () => {
  it('follow each other for sends that come at the same time, and the client is asked once', async () => {
    const { state, turns, turn } = createClient();
    const nonces = await Promise.all(Array.from({ length: 100 }, () => turns.take(account, turn)));
    expect(nonces).toEqual(Array.from({ length: 100 }, (_, index) => 7n + BigInt(index)));
    expect(state.asked).toBe(1);
  });

  it('are given again when a submission fails', async () => {
    const { turns, turn, failing } = createClient();
    const results = await Promise.allSettled([
      turns.take(account, turn),
      turns.take(account, failing),
      turns.take(account, turn),
    ]);
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      7n,
      'failed',
      8n,
    ]);
  });

  it('have neither gaps nor doubles, whichever of the sends fail or are given up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('sent', 'refused', 'given up', 'not asked'), { maxLength: 40 }),
        async (fates) => {
          const { turns, turn, failing } = createClient();
          const unasked = { ...turn, pendingNonce: () => Promise.reject(new Error('client away')) };
          const turnOf = {
            sent: turn,
            refused: failing,
            'given up': { ...turn, signal: AbortSignal.abort() },
            // Fails only where the client is asked; otherwise it is sent.
            'not asked': unasked,
          };
          const results = await Promise.allSettled(fates.map((fate) => turns.take(account, turnOf[fate])));
          const used = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
          expect(used).toEqual(used.map((_, index) => 7n + BigInt(index)));
          const sent = results.filter((_, index) => fates[index] === 'sent');
          expect(sent.every(({ status }) => status === 'fulfilled')).toBe(true);
        },
      ),
    );
  });

  it('are asked for again once the account is idle', async () => {
    const { state, turns, turn } = createClient();
    await turns.take(account, turn);
    state.next = 20n;
    expect(await turns.take(account, turn)).toBe(20n);
  });

  it('are asked for again when one was used elsewhere while a send ran', async () => {
    const { state, turns, turn } = createClient();
    const overtaken = {
      ...turn,
      async submit(nonce: bigint) {
        const result = await turn.submit(nonce);
        state.next += 1n;
        turns.forget(account);
        return result;
      },
    };
    expect(await Promise.all([turns.take(account, overtaken), turns.take(account, turn)])).toEqual([7n, 9n]);
  });

  it('do not wait for those of another account', async () => {
    const { turns, turn } = createClient();
    let release: (value: bigint) => void = () => undefined;
    const stuck = turns.take(account, {
      ...turn,
      submit: () => new Promise<bigint>((done) => (release = done)),
    });
    expect(await turns.take(other, turn)).toBe(7n);
    release(7n);
    await stuck;
  });
});

describe('a send that nobody waits for any more', () => {
  it('is not submitted, whether it waited for its turn or for the nonce', async () => {
    const { state, turns, turn } = createClient();
    const [waiting, asking] = [new AbortController(), new AbortController()];
    const results = await Promise.allSettled([
      turns.take(account, {
        ...turn,
        signal: asking.signal,
        async pendingNonce() {
          asking.abort();
          return state.next;
        },
      }),
      turns.take(account, {
        ...turn,
        async submit(nonce) {
          waiting.abort();
          return turn.submit(nonce);
        },
      }),
      turns.take(account, { ...turn, signal: waiting.signal }),
      turns.take(account, turn),
    ]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: { reason: 'REQUEST_TIMEOUT' } },
      { status: 'fulfilled', value: 7n },
      { status: 'rejected', reason: { reason: 'REQUEST_TIMEOUT' } },
      { status: 'fulfilled', value: 8n },
    ]);
  });
});
