import { describe, expect, it } from '@jest/globals';
import type { Dispatcher } from 'undici';
import { UNCOUNTED_BYTES } from './params.js';
import { ReceivedBytes } from './received-bytes.js';
import { receiveWhole } from './whole-response.js';

/** Exchanges whose answers the test gives by the handlers of undici. */
function exchanges(received: ReceivedBytes) {
  const handlers: Dispatcher.DispatchHandler[] = [];
  const aborts: Error[] = [];
  const dispatcher = {
    dispatch: (_request: unknown, handler: Dispatcher.DispatchHandler) => handlers.push(handler) > 0,
  } as unknown as Dispatcher;
  const begin = () => {
    const answer = receiveWhole(dispatcher, { path: '/', method: 'POST' }, { timeoutMs: 60_000, received });
    const handler = handlers.at(-1) as Dispatcher.DispatchHandler;
    const controller = {
      abort(error: Error) {
        aborts.push(error);
        handler.onResponseError?.(controller, error);
      },
    } as Dispatcher.DispatchController;
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 200, {});
    return {
      answer,
      give: (bytes: number) => handler.onResponseData?.(controller, Buffer.alloc(bytes)),
      end: () => handler.onResponseEnd?.(controller, {}),
    };
  };
  return { begin, aborts };
}

describe('answers that are being received', () => {
  it('have room for all of them together, and what finds none is given up', async () => {
    const { begin, aborts } = exchanges(new ReceivedBytes(100_000));
    const [first, second] = [begin(), begin()];
    first.give(UNCOUNTED_BYTES + 60_000);
    const lost = expect(second.answer).rejects.toThrow();
    second.give(UNCOUNTED_BYTES + 30_000);
    second.give(10_001);
    await lost;
    expect(aborts).toHaveLength(1);
    const third = begin();
    third.give(UNCOUNTED_BYTES + 40_000);
    for (const one of [first, third]) one.end();
    expect((await first.answer).body).toHaveLength(UNCOUNTED_BYTES + 60_000);
    expect((await third.answer).body).toHaveLength(UNCOUNTED_BYTES + 40_000);
    const fourth = begin();
    fourth.give(UNCOUNTED_BYTES + 100_000);
    fourth.end();
    expect((await fourth.answer).body).toHaveLength(UNCOUNTED_BYTES + 100_000);
  });

  it('arrive whatever the others hold when they are small, as what is said to a transaction is', async () => {
    const { begin } = exchanges(new ReceivedBytes(100_000));
    const [large, small] = [begin(), begin()];
    large.give(UNCOUNTED_BYTES + 100_000);
    for (const bytes of [10, UNCOUNTED_BYTES - 10]) small.give(bytes);
    small.end();
    expect((await small.answer).body).toHaveLength(UNCOUNTED_BYTES);
    large.end();
    await large.answer;
  });
});
