import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { z } from 'zod';
import { BatchCaller } from './batch-caller.js';
import { createDispatcher } from './create-dispatcher.js';
import { defineMethod, type CallContext } from './define-method.js';

const BATCHES = 1_000;
const CALL = { jsonrpc: '2.0', id: 1, method: 'test_listen' };

const listenersAt = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a client that stays connected', () => {
  it('has nothing left at its signal by batches whose calls ask for theirs', async () => {
    const combining = jest.spyOn(AbortSignal, 'any');
    const client = new AbortController();
    const during = new Set<number>();
    const dispatcher = createDispatcher({
      service: 'test',
      methods: {
        test_listen: defineMethod({
          summary: '',
          source: 'test',
          examples: [],
          params: [],
          result: z.string(),
        }),
      },
      handlers: {
        test_listen: async (_params: never, { signal }: CallContext) => {
          during.add(listenersAt(client.signal));
          return signal.aborted ? 'aborted' : 'wanted';
        },
      },
      limits: { batch: 10, depth: 32, requestTimeoutMs: 60_000 },
      logger: silentLogger,
      metrics: silentMetrics,
    });
    const batch = JSON.stringify([CALL, CALL]);
    for (let sent = 0; sent < BATCHES; sent++)
      expect(await dispatcher.handle(batch, { headers: {}, signal: client.signal })).toContain('wanted');
    expect([...during]).toEqual([1]);
    expect(listenersAt(client.signal)).toBe(0);
    expect(combining).not.toHaveBeenCalled();
  });

  it('has nothing left by a call that asks after its batch has ended', () => {
    const client = new AbortController();
    const caller = new BatchCaller({ headers: {}, signal: client.signal });
    caller.finish();
    expect(caller.signal.aborted).toBe(false);
    expect(listenersAt(client.signal)).toBe(0);
  });
});

describe('the calls of a batch', () => {
  it('are aborted when the client goes, also before they asked', () => {
    const client = new AbortController();
    const early = new BatchCaller({ headers: {}, signal: client.signal });
    const { signal } = early;
    expect(signal.aborted).toBe(false);
    client.abort();
    expect(signal.aborted).toBe(true);
    expect(new BatchCaller({ headers: {}, signal: client.signal }).signal.aborted).toBe(true);
  });

  it('are aborted when the batch is given up, also before they asked', () => {
    const [early, late] = [new BatchCaller({ headers: {} }), new BatchCaller({ headers: {} })];
    const { signal } = early;
    early.giveUp();
    late.giveUp();
    expect([signal.aborted, late.signal.aborted, late.isGone]).toEqual([true, true, true]);
  });
});
