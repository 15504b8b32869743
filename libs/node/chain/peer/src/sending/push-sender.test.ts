import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@tetrad/types';
import type { PushMessage } from '../wire/push-message.js';
import { PushSender, type PushOutcome } from './push-sender.js';
import { Outbox } from './outbox.js';

/** A clock whose tasks the test runs. */
function manualClock() {
  const tasks: { delayMs: number; task: () => void }[] = [];
  let nowMs = 1_000;
  const clock: Clock = {
    now: () => nowMs,
    schedule(delayMs, task) {
      tasks.push({ delayMs, task });
      return () => undefined;
    },
  };
  return {
    clock,
    tasks,
    pass: (ms: number) => (nowMs += ms),
    run() {
      for (const { delayMs, task } of tasks.splice(0)) {
        nowMs += delayMs;
        task();
      }
    },
  };
}

const message = (value: number, kind: PushMessage['kind'] = 'transaction'): PushMessage => ({
  kind,
  payload: Uint8Array.of(value),
});
const settle = () => new Promise((done) => setImmediate(done));

function setUp(outcomes: PushOutcome[], priority: 'bulk' | 'urgent' = 'bulk') {
  const outbox = new Outbox({ messages: 100, bytes: 10_000 });
  const pushed: number[][] = [];
  const time = manualClock();
  const sender = new PushSender({
    priority,
    outbox,
    clock: time.clock,
    pushBytes: 1_000,
    lingerMs: priority === 'bulk' ? 10 : 0,
    push: async (messages) => {
      pushed.push(messages.map(({ payload }) => payload[0] ?? -1));
      return outcomes.shift() ?? 'delivered';
    },
  });
  return { outbox, pushed, sender, ...time };
}

describe('the sender of a priority', () => {
  it('sends the first message after a pause at once, and then gathers for a moment', async () => {
    const { outbox, pushed, sender, tasks, run, pass } = setUp([]);
    const put = (value: number) => {
      outbox.put(message(value));
      sender.wake();
    };
    [1, 2, 3].forEach(put);
    await settle();
    expect(pushed).toEqual([[1, 2, 3]]);
    pass(4);
    [4, 5].forEach(put);
    await settle();
    expect(tasks.map(({ delayMs }) => delayMs)).toEqual([6]);
    run();
    await settle();
    expect(pushed).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    pass(10);
    put(6);
    await settle();
    expect(pushed[2]).toEqual([6]);
    expect(tasks).toEqual([]);
  });

  it('also gathers messages during a push, unless that was full', async () => {
    const { outbox, pushed, sender, tasks, run } = setUp([]);
    const large = { ...message(1), payload: new Uint8Array(600).fill(1) };
    outbox.put(large);
    outbox.put(large);
    sender.wake();
    outbox.put(large);
    await settle();
    expect(pushed).toEqual([[1], [1], [1]]);
    outbox.put(message(2));
    sender.wake();
    expect(tasks.map(({ delayMs }) => delayMs)).toEqual([10]);
    run();
    await settle();
    expect(pushed[3]).toEqual([2]);
  });

  it('sends urgent messages at once', async () => {
    const { outbox, pushed, sender, tasks } = setUp([], 'urgent');
    outbox.put(message(1, 'consensus'));
    sender.wake();
    await settle();
    expect(pushed).toEqual([[1]]);
    expect(tasks).toEqual([]);
  });

  it('tries again in order when the peer was busy', async () => {
    const { outbox, pushed, sender, run } = setUp(['busy', 'busy']);
    outbox.put(message(1));
    sender.wake();
    for (let times = 0; times < 3; times++) {
      run();
      await settle();
      if (times === 0) outbox.put(message(2));
    }
    expect(pushed).toEqual([[1], [1, 2], [1, 2]]);
    expect(outbox.messages).toBe(0);
  });

  it('stops when the connection is lost, and keeps only messages for which the next one may be in time', async () => {
    const urgent = setUp(['lost'], 'urgent');
    urgent.outbox.put(message(1, 'consensus'));
    urgent.outbox.put(message(2, 'head'));
    urgent.sender.wake();
    await settle();
    expect(urgent.outbox.take('urgent', 100)).toEqual([message(1, 'consensus')]);
    expect(urgent.tasks).toEqual([]);
  });
});
