import { describe, expect, it } from '@jest/globals';
import { WakeUps } from './wake-ups.js';

describe('calls to a loop', () => {
  it('are not lost while it works', async () => {
    const calls = new WakeUps();
    calls.begin();
    calls.wake();
    await calls.next(undefined);
  });

  it('wake it while it waits', async () => {
    const calls = new WakeUps();
    calls.begin();
    const waiting = calls.next(undefined);
    calls.wake();
    await waiting;
  });

  it('are of one round: those before it began do not count', async () => {
    const calls = new WakeUps();
    calls.wake();
    calls.begin();
    let isOver = false;
    const waiting = calls.next(undefined).then(() => (isOver = true));
    await new Promise((tick) => setImmediate(tick));
    expect(isOver).toBe(false);
    calls.wake();
    await waiting;
  });

  it('are not waited for beyond the time', async () => {
    const calls = new WakeUps();
    calls.begin();
    await calls.next(1);
  });
});
