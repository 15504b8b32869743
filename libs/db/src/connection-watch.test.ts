import { describe, expect, it } from '@jest/globals';
import { silentLogger, type Clock } from '@tetrad/types';
import { watchConnection } from './connection-watch.js';

/** A clock whose tasks are run by the test. */
function manualClock() {
  let nowMs = 0;
  let task: (() => void) | undefined;
  const clock: Clock = {
    now: () => nowMs,
    schedule(_delayMs, scheduled) {
      task = scheduled;
      return () => (task = undefined);
    },
  };
  return {
    clock,
    isIdle: () => task === undefined,
    async pass(ms: number) {
      nowMs += ms;
      const due = task;
      task = undefined;
      due?.();
      await new Promise((tick) => setImmediate(tick));
    },
  };
}

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

function watch(boundMs: number) {
  const { clock, pass, isIdle } = manualClock();
  const answers: { error?: Error } = {};
  const lost: Error[] = [];
  const ask = async () => {
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

  it('is not queried any more once the watch has ended', async () => {
    const { isIdle, stop } = watch(60_000);
    stop();
    expect(isIdle()).toBe(true);
  });
});
