import { describe, expect, it, jest } from '@jest/globals';
import { LazyCallContext } from './call-context.js';
import { FairTurns } from './fair-turns.js';

const turns = new FairTurns();
const callerWith = (signal: AbortSignal) => ({ headers: {}, signal });

describe('the context of a call', () => {
  it('has one request id for its whole life', () => {
    const context = new LazyCallContext({ headers: {} }, 1, 'eth_call', turns);
    expect(context.requestId).toBe(context.requestId);
    expect(context.requestId).not.toBe(new LazyCallContext({ headers: {} }, 1, 'eth_call', turns).requestId);
  });

  it('is aborted when the client goes, also before the handler looked', () => {
    const client = new AbortController();
    const early = new LazyCallContext(callerWith(client.signal), 1, 'eth_call', turns);
    const { signal } = early;
    expect(signal.aborted).toBe(false);
    client.abort();
    expect(signal.aborted).toBe(true);
    expect(new LazyCallContext(callerWith(client.signal), 2, 'eth_call', turns).signal.aborted).toBe(true);
  });

  it('is aborted when its time is over, also before the handler looked', () => {
    const context = new LazyCallContext({ headers: {} }, 1, 'eth_call', turns);
    context.abort();
    expect(context.signal.aborted).toBe(true);
  });

  it('reports without a signal whether the client still waits', () => {
    const client = new AbortController();
    const ofSignal = new LazyCallContext(callerWith(client.signal), 1, 'eth_call', turns);
    const caller = { headers: {}, isGone: false };
    const ofCaller = new LazyCallContext(caller, 1, 'eth_call', turns);
    const late = new LazyCallContext({ headers: {} }, 1, 'eth_call', turns);
    expect([ofSignal, ofCaller, late].map(({ isAbandoned }) => isAbandoned)).toEqual([false, false, false]);
    client.abort();
    caller.isGone = true;
    late.abort();
    expect([ofSignal, ofCaller, late].map(({ isAbandoned }) => isAbandoned)).toEqual([true, true, true]);
  });

  it('leaves nothing behind at a client that stays connected', () => {
    const client = new AbortController();
    const added = jest.spyOn(client.signal, 'addEventListener');
    const removed = jest.spyOn(client.signal, 'removeEventListener');
    const context = new LazyCallContext(callerWith(client.signal), 1, 'eth_call', turns);
    const { signal } = context;
    context.finish();
    client.abort();
    expect(added.mock.calls.map(([, listener]) => listener)).toEqual(
      removed.mock.calls.map(([, listener]) => listener),
    );
    expect(added).toHaveBeenCalledTimes(1);
    expect(signal.aborted).toBe(false);
  });
});
