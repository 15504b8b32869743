import { beforeEach, describe, expect, it } from '@jest/globals';
import type { NewRawPayloads, PrivatePayload } from './answers.js';
import type { Outcome } from './outcome.js';
import { RawPayloadFeed } from './raw-payload-feed.js';

const hashOf = (index: number) => Buffer.alloc(64, index);

const payloadOf = (index: number, bytes = 1) =>
  ({ plaintext: Buffer.alloc(bytes, index), privacyFlag: 0 }) as unknown as PrivatePayload;

const answerOf = (last: number, ...given: readonly (readonly [number, PrivatePayload])[]) => {
  const payloads = given.map(
    ([index, value]) => ({ hash: hashOf(index), outcome: { kind: 'found', value } }) as const,
  );
  return { kind: 'done', value: { last, payloads } } as const;
};

describe('raw payloads that a manager hands over', () => {
  let asked: (number | undefined)[];
  let nowMs: number;
  let isBusy: boolean;
  let answer: (outcome: Outcome<NewRawPayloads>) => Promise<void>;
  let feed: RawPayloadFeed;
  beforeEach(() => {
    [asked, nowMs] = [[], 0];
    const ask = (after: number | undefined) => {
      asked.push(after);
      return new Promise<Outcome<NewRawPayloads>>((done) => {
        answer = async (outcome) => {
          done(outcome);
          await new Promise((turn) => setImmediate(turn));
        };
      });
    };
    isBusy = false;
    feed = new RawPayloadFeed(
      ask,
      () => isBusy,
      () => nowMs,
    );
  });

  it('are asked for from the place of the last answer, and given once', async () => {
    expect([asked, feed.take(hashOf(1))]).toEqual([[], undefined]);
    await answer(answerOf(5));
    await answer(answerOf(6, [1, payloadOf(1)]));
    expect(asked).toEqual([undefined, 5, 6]);
    expect([feed.take(hashOf(1)), feed.take(hashOf(1))]).toEqual([payloadOf(1), undefined]);
    expect(asked).toHaveLength(3);
  });

  it('are asked for until none was wanted for half a minute, and again when one is', async () => {
    feed.take(hashOf(1));
    await answer(answerOf(0));
    nowMs = 31_000;
    await answer(answerOf(0));
    expect(asked).toHaveLength(2);
    nowMs = 32_000;
    feed.take(hashOf(1));
    expect(asked).toEqual([undefined, 0, undefined]);
  });

  it.each([
    ['fails', { kind: 'unknown', reason: 'away' } as const],
    ['does not wait', answerOf(4)],
  ])('are asked for after a pause when the manager %s', async (_, outcome) => {
    feed.take(hashOf(1));
    await answer(answerOf(4));
    await answer(outcome);
    feed.take(hashOf(1));
    expect(asked).toEqual([undefined, 4]);
    nowMs = 1_000;
    feed.take(hashOf(1));
    expect(asked).toEqual([undefined, 4, undefined]);
  });

  it('are not asked for while many are sent at a time, nor within a second of that', async () => {
    feed.take(hashOf(1));
    isBusy = true;
    await answer(answerOf(4, [1, payloadOf(1)]));
    expect([feed.take(hashOf(1)), asked]).toEqual([payloadOf(1), [undefined]]);
    nowMs = 2_000;
    feed.take(hashOf(2));
    expect(asked).toHaveLength(1);
    isBusy = false;
    feed.take(hashOf(3));
    expect(asked).toHaveLength(2);
  });

  it('are bounded in number and bytes: the oldest go', async () => {
    feed.take(hashOf(1));
    await answer(answerOf(0));
    const large = 3 * 1_048_576;
    await answer(
      answerOf(2, [1, payloadOf(1, large)], [2, payloadOf(2, large)], [3, payloadOf(3, 2 * large)]),
    );
    expect([1, 2, 3].map((index) => feed.take(hashOf(index)) !== undefined)).toEqual([false, true, false]);
  });

  it('are not asked for once it is closed', async () => {
    feed.take(hashOf(1));
    feed.close();
    await answer(answerOf(1, [1, payloadOf(1)]));
    expect([feed.take(hashOf(1)), asked]).toEqual([undefined, [undefined]]);
  });
});
