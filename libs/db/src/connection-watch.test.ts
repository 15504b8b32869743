import { describe, expect, it } from '@jest/globals';
import { silentLogger, type Clock } from '@tetrad/types';
import { watchConnection } from './connection-watch.js';

/** A clock whose tasks are run by the test: the newest at each step. */
function manualClock() {
  let nowMs = 0;
  const tasks = new Set<() => void>();
  const clock: Clock = {
    now: () => nowMs,
    schedule(_delayMs, task) {
      const scheduled = () => task();
      tasks.add(scheduled);
      return () => void tasks.delete(scheduled);
    },
  };
  return {
    clock,
    isIdle: () => tasks.size === 0,
    async pass(ms: number) {
      nowMs += ms;
      const due = [...tasks].at(-1);
      if (due !== undefined) tasks.delete(due);
      due?.();
      await new Promise((tick) => setImmediate(tick));
    },
  };
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

function watch(boundMs: number) {
  const { clock, pass, isIdle } = manualClock();
  const answers: { error?: Error; never?: boolean } = {};
  const lost: Error[] = [];
  const ask = async () => {
    if (answers.never === true) await new Promise(() => undefined);
    if (answers.error !== undefined) throw answers.error;
  };
  const stop = watchConnection({
    ask,
    clock,
    logger: silentLogger,
    boundMs,
    onLost: (error) => lost.push(error),
  });
  return { answers, lost, pass, isIdle, stop };
}

describe('a database that is watched', () => {
  it('is lost once it was away for the whole bound, with the reason', async () => {
    const { answers, lost, pass, isIdle } = watch(60_000);
    await pass(5_000);
    answers.error = refused;
    await pass(5_000);
    await pass(59_999);
    expect(lost).toEqual([]);
    await pass(1);
    expect(lost).toEqual([
      expect.objectContaining({
        code: 'DATABASE_UNAVAILABLE',
        message: 'the database was away for 60000 ms: connect ECONNREFUSED 127.0.0.1:5432',
      }),
    ]);
    expect(isIdle()).toBe(true);
  });

  it('gets the whole bound again after each answer, a refusal included', async () => {
    const { answers, lost, pass } = watch(60_000);
    for (const answer of [undefined, Object.assign(new Error('permission denied'), { code: '42501' })]) {
      answers.error = refused;
      await pass(5_000);
      await pass(50_000);
      if (answer === undefined) delete answers.error;
      else answers.error = answer;
      await pass(5_000);
    }
    answers.error = refused;
    await pass(5_000);
    await pass(50_000);
    expect(lost).toEqual([]);
  });

  it('is lost too when its answers never come', async () => {
    const { answers, lost, pass, isIdle } = watch(300_000);
    answers.never = true;
    await pass(5_000);
    for (let looks = 0; looks < 4; looks += 1) {
      await pass(60_000);
      await pass(5_000);
    }
    expect(lost).toEqual([]);
    await pass(60_000);
    expect(lost).toEqual([
      expect.objectContaining({ message: 'the database was away for 320000 ms: Query read timeout' }),
    ]);
    expect(isIdle()).toBe(true);
  });

  it('is not queried any more once the watch has ended', async () => {
    const { answers, pass, isIdle, stop } = watch(60_000);
    answers.never = true;
    await pass(5_000);
    expect(isIdle()).toBe(false);
    stop();
    expect(isIdle()).toBe(true);
  });
});
