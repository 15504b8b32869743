import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@tetrad/types';
import type { PushMessage } from '../wire/push-message.js';
import { TrackSender, type PushOutcome } from './track-sender.js';
import { Outbox } from './outbox.js';

/** A clock whose tasks the test runs. */
function manualClock() {
  const tasks: { delayMs: number; task: () => void }[] = [];
  const clock: Clock = {
    now: () => 0,
    schedule(delayMs, task) {
      tasks.push({ delayMs, task });
      return () => undefined;
    },
  };
  return { clock, tasks, run: () => tasks.splice(0).forEach(({ task }) => task()) };
}

const message = (value: number, kind: PushMessage['kind'] = 'transaction'): PushMessage => ({
  kind,
  payload: Uint8Array.of(value),
});
const settle = () => new Promise((done) => setImmediate(done));

function setUp(outcomes: PushOutcome[], track: 'bulk' | 'urgent' = 'bulk') {
  const outbox = new Outbox({ messages: 100, bytes: 10_000 });
  const pushed: number[][] = [];
  const time = manualClock();
  const sender = new TrackSender({
    ...{ track, outbox, clock: time.clock, pushBytes: 1_000, lingerMs: track === 'bulk' ? 10 : 0 },
    push: async (messages) => {
      pushed.push(messages.map(({ payload }) => payload[0] ?? -1));
      return outcomes.shift() ?? 'delivered';
    },
  });
  return { outbox, pushed, sender, ...time };
}

describe('a track', () => {
  it('gathers for a moment and sends all that came as one', async () => {
    const { outbox, pushed, sender, tasks, run } = setUp([]);
    for (const value of [1, 2, 3]) {
      outbox.put(message(value));
      sender.wake();
    }
    expect(tasks.map(({ delayMs }) => delayMs)).toEqual([10]);
    run();
    await settle();
    expect(pushed).toEqual([[1, 2, 3]]);
    outbox.put(message(4));
    sender.wake();
    run();
    await settle();
    expect(pushed).toEqual([[1, 2, 3], [4]]);
  });

  it('sends what is urgent at once', async () => {
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

  it('stops when the connection is lost, and keeps only what the next one may still be in time for', async () => {
    const urgent = setUp(['lost'], 'urgent');
    urgent.outbox.put(message(1, 'consensus'));
    urgent.outbox.put(message(2, 'head'));
    urgent.sender.wake();
    await settle();
    expect(urgent.outbox.take('urgent', 100)).toEqual([message(1, 'consensus')]);
    expect(urgent.tasks).toEqual([]);
  });
});
