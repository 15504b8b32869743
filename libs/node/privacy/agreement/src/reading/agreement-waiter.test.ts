import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@tetrad/testkit';
import { parseHash, parsePtmKey, silentLogger } from '@tetrad/types';
import { AgreementWaiter } from './agreement-waiter.js';
import type { Agreement } from './party-agreement.js';

const HASH = parseHash(`0x${'ab'.repeat(32)}`);
const keyOf = (byte: number) => parsePtmKey(Buffer.alloc(32, byte).toString('base64'));

/** A waiter of a transaction whose parties are in these states, by key; undefined before it has a result. */
function waiterOf(states: { now: readonly Agreement[] | undefined }) {
  const clock = new VirtualClock();
  const reader = {
    ofTransaction: async () => {
      if (states.now === undefined) return undefined;
      const parties = states.now.map((agreement, index) => ({
        own: keyOf(1),
        other: keyOf(index + 2),
        agreement,
        pair: undefined,
        row: undefined,
      }));
      return { transaction: HASH, block: 7, parties };
    },
  };
  return { clock, waiter: new AgreementWaiter({ reader, clock, logger: silentLogger }) };
}

/** Lets a look that is under way end, and the time pass until others have. */
async function pass(clock: VirtualClock, ms: number): Promise<void> {
  await new Promise((turn) => setImmediate(turn));
  await clock.runUntil(clock.now() + ms, () => false);
}

describe('AgreementWaiter', () => {
  it('ends when the last party agrees', async () => {
    const states: { now: readonly Agreement[] | undefined } = { now: undefined };
    const { clock, waiter } = waiterOf(states);
    const waited = waiter.wait(HASH, 60_000);
    await pass(clock, 2_000);
    states.now = [{ kind: 'agreed' }, { kind: 'pending' }];
    await pass(clock, 2_000);
    states.now = [{ kind: 'agreed' }, { kind: 'agreed' }];
    await pass(clock, 2_000);
    expect(await waited).toMatchObject({ agreement: 'agreed', parties: [{}, {}] });
  });

  it('ends when one party has another result, while others are pending', async () => {
    const { waiter } = waiterOf({ now: [{ kind: 'pending' }, { kind: 'diverged' }] });
    expect((await waiter.wait(HASH, 60_000)).agreement).toBe('diverged');
  });

  it('says after the time what is known then', async () => {
    const { clock, waiter } = waiterOf({ now: [{ kind: 'agreed' }, { kind: 'pending' }] });
    const waited = waiter.wait(HASH, 5_000);
    await pass(clock, 10_000);
    expect((await waited).agreement).toBe('pending');
  });

  it('does not wait for a party of which it cannot tell', async () => {
    const { waiter } = waiterOf({ now: [{ kind: 'agreed' }, { kind: 'cannotTell', reason: 'noMessages' }] });
    expect((await waiter.wait(HASH, 60_000)).agreement).toBe('cannotTell');
  });

  it('ends when the caller has gone, and when it is stopped', async () => {
    const { waiter } = waiterOf({ now: [{ kind: 'pending' }] });
    const gone = new AbortController();
    const waited = [waiter.wait(HASH, 60_000, gone.signal), waiter.wait(HASH, 60_000)];
    gone.abort();
    expect((await waited[0])?.parties).toEqual([]);
    waiter.stop();
    expect((await waited[1])?.parties).toHaveLength(1);
    expect((await waiter.wait(HASH, 60_000)).agreement).toBe('pending');
  });

  it('takes a thousand, and tells more at once what is known', async () => {
    const { waiter } = waiterOf({ now: [{ kind: 'pending' }] });
    const all = Array.from({ length: 1_000 }, () => waiter.wait(HASH, 60_000));
    expect((await waiter.wait(HASH, 60_000)).agreement).toBe('pending');
    waiter.stop();
    expect(await Promise.all(all)).toHaveLength(1_000);
  });
});
