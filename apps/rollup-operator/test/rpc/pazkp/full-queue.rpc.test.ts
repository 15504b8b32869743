import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { AccountHolder } from '../../account-holder.js';
import { TOKEN, startOperator, type RunningOperator } from '../../running-operator.js';

/** Places: 8 for all, 4 that are shared, 4 for who has nothing waiting; and 4 for registrations. */
const PLACES = 16;
const METHOD = 'pazkp_createOutboundTransfer';
const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
const HOUR_MS = 3_600_000;

const holders = Array.from({ length: 9 }, (_, index) => new AccountHolder(index + 1, index + 1));
const nonces = new Map<AccountHolder, number>();
const holder = (place: number) => holders[place] as AccountHolder;

let operator: RunningOperator;
beforeAll(async () => {
  operator = await startOperator(['--max-pending', String(PLACES)]);
  for (const one of holders) {
    await until(
      async () => (await operator.call('pazkp_createAccount', one.registration())).error === undefined,
    );
    await operator.finalize();
  }
});
afterAll(() => operator.stop());

const transfer = (one: AccountHolder) => {
  const nonce = (nonces.get(one) ?? 0) + 1;
  return one.transfer(ADDRESS, TOKEN, 1n, nonce);
};
/**
 * Sends operations until one is refused.
 * @returns how many were not, and the refusal
 */
async function fill(one: AccountHolder, most = PLACES) {
  for (let count = 0; count < most; count += 1) {
    const { error } = await operator.call(METHOD, transfer(one));
    if (error !== undefined) return { count, error };
    nonces.set(one, (nonces.get(one) ?? 0) + 1);
  }
  return { count: most, error: undefined };
}

describe('a queue that one account fills', () => {
  it('is full for this account by name, with the time until there is room', async () => {
    const { count, error } = await fill(holder(0));
    expect(count).toBe(PLACES / 2);
    expect(error).toMatchObject({ code: -32005, data: { reason: 'QUEUE_FULL', limit: PLACES } });
    expect(error?.message).toMatch(
      /^the queue is full for account 1: it is for 16 operations of all; try again in /,
    );
    const retryAfterMs = Number(error?.data?.['retryAfterMs']);
    expect(retryAfterMs).toBeGreaterThanOrEqual(1_000);
    expect(retryAfterMs).toBeLessThanOrEqual(HOUR_MS);
  });

  it('serves another account, and refuses nothing that waits already', async () => {
    expect(await fill(holder(1), 2)).toEqual({ count: 2, error: undefined });
    const waiting = holder(0).transfer(ADDRESS, TOKEN, 1n, 1);
    expect(await operator.call(METHOD, waiting)).toMatchObject({ result: {} });
  });
});

describe('a queue that many accounts fill', () => {
  it('has a place for each with nothing waiting, until they are as many as places for them', async () => {
    await fill(holder(2));
    for (const place of [3, 4, 5, 6]) {
      const { count, error } = await fill(holder(place));
      expect([count, error?.data?.['reason']]).toEqual([1, 'QUEUE_FULL']);
    }
    expect((await operator.store.readBacklog()).pendingOperations).toBe(PLACES);
    expect(await fill(holder(7))).toMatchObject({ count: 0, error: { data: { reason: 'QUEUE_FULL' } } });
  });

  it('takes operations again once some are executed', async () => {
    await operator.execute();
    await until(async () => (await fill(holder(7), 1)).count === 1);
    expect(await fill(holder(8), 1)).toEqual({ count: 1, error: undefined });
  });
});

describe('registrations', () => {
  it('are refused beyond a quarter of the places, and registered later', async () => {
    const waiting = Array.from({ length: PLACES / 4 + 1 }, (_, index) => new AccountHolder(90, 90 + index));
    const last = waiting.pop() as AccountHolder;
    const registered = { result: { status: 'REGISTERED' } };
    for (const one of waiting)
      expect(await operator.call('pazkp_createAccount', one.registration())).toMatchObject(registered);
    const { error } = await operator.call('pazkp_createAccount', last.registration());
    expect(error).toMatchObject({ code: -32005, data: { reason: 'QUEUE_FULL', limit: PLACES } });
    expect(error?.message).toContain('the queue is full for new accounts');
    await operator.execute();
    await until(async () => {
      const { result } = await operator.call('pazkp_createAccount', last.registration());
      return (result as { status?: string } | undefined)?.status === 'REGISTERED';
    });
  });
});
