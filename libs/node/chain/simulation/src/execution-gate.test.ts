import { describe, expect, it } from '@jest/globals';
import { ExecutionGate, assertAdmitted, type Admission } from './execution-gate.js';

const limits = { timeoutMs: 600_000, long: 1, begun: 2, waiting: 1 };

/** An execution that ends when the test calls `end`. */
function execution({ isLong = false } = {}) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((done) => (end = done));
  const state = { hasBegun: false, hasPlace: false };
  const work = async (admission: Admission) => {
    state.hasBegun = true;
    if (isLong) {
      await admission.onLong();
      state.hasPlace = true;
    }
    await ended;
    assertAdmitted(admission);
    return 'done';
  };
  return { work, end, state };
}

/** Lets everything run that waits for nothing but the event loop. */
const settle = () => new Promise((done) => setImmediate(done));

describe('executions of clients', () => {
  it('begin up to the limit; one waits, and the next is refused', async () => {
    const gate = new ExecutionGate(limits);
    const [first, second, third] = [execution(), execution(), execution()];
    const running = [first, second, third].map(({ work }) => gate.run(undefined, work));
    await settle();
    expect([first, second, third].map(({ state }) => state.hasBegun)).toEqual([true, true, false]);
    await expect(gate.run(undefined, execution().work)).rejects.toMatchObject({
      code: 'TOO_MANY_CONCURRENT_REQUESTS',
    });
    first.end();
    await running[0];
    await settle();
    expect(third.state.hasBegun).toBe(true);
    second.end();
    third.end();
    expect(await Promise.all(running)).toEqual(['done', 'done', 'done']);
  });

  it('that are long share their places, in the order of their requests', async () => {
    const gate = new ExecutionGate(limits);
    const [first, second] = [execution({ isLong: true }), execution({ isLong: true })];
    const running = [first, second].map(({ work }) => gate.run(undefined, work));
    await settle();
    expect([first.state.hasPlace, second.state.hasPlace]).toEqual([true, false]);
    first.end();
    second.end();
    expect(await Promise.all(running)).toEqual(['done', 'done']);
  });

  it('release their places when they fail', async () => {
    const gate = new ExecutionGate({ ...limits, begun: 1, waiting: 0 });
    const failing = async ({ onLong }: Admission): Promise<void> => {
      await onLong();
      throw new RangeError('out of gas');
    };
    await expect(gate.run(undefined, failing)).rejects.toThrow('out of gas');
    await expect(gate.run(undefined, failing)).rejects.toThrow('out of gas');
  });

  it.each<[string, (abort: AbortController) => void]>([
    ['leaves before', (abort) => abort.abort()],
    ['leaves meanwhile', (abort) => void setImmediate(() => abort.abort())],
  ])('end when the client %s', async (_case, leave) => {
    const gate = new ExecutionGate({ ...limits, begun: 1, waiting: 1 });
    const client = new AbortController();
    leave(client);
    const { work, end } = execution();
    client.signal.addEventListener('abort', end);
    if (client.signal.aborted) end();
    await expect(gate.run(client.signal, work)).rejects.toMatchObject({ code: 'EXECUTION_TIMEOUT' });
    const next = execution();
    next.end();
    expect(await gate.run(undefined, next.work)).toBe('done');
  });

  it('that wait for a place leave the queue when their client disconnects', async () => {
    const gate = new ExecutionGate({ ...limits, begun: 1 });
    const first = execution();
    const running = gate.run(undefined, first.work);
    const client = new AbortController();
    const waiting = gate.run(client.signal, execution().work);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'EXECUTION_TIMEOUT' });
    const next = execution();
    const after = gate.run(undefined, next.work);
    first.end();
    next.end();
    expect(await Promise.all([running, after])).toEqual(['done', 'done']);
  });

  it('are aborted at the timeout', async () => {
    const gate = new ExecutionGate({ ...limits, timeoutMs: 1 });
    const work = ({ signal }: Admission) =>
      new Promise<void>((_done, fail) =>
        signal.addEventListener('abort', () => {
          try {
            assertAdmitted({ signal, onLong: async () => undefined });
          } catch (error) {
            fail(error);
          }
        }),
      );
    await expect(gate.run(undefined, work)).rejects.toMatchObject({ code: 'EXECUTION_TIMEOUT' });
  });
});
