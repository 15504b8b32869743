import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.js';
import { ReadinessQuestions } from './readiness-questions.js';
import type { ReadinessChecks, ReadinessReason } from './readiness.js';

const asked = (checks: ReadinessChecks) => new ReadinessQuestions(checks);
const [clients, rollout, operators] = (['clients', 'rollout', 'operators'] as const).map((one) => ({
  class: one,
  reason: `for ${one}`,
})) as [ReadinessReason, ReadinessReason, ReadinessReason];

describe('reasons', () => {
  it('are shown as warnings where the question does not count them', async () => {
    const questions = asked({ part: () => [clients, rollout, operators], well: () => undefined });
    expect(await questions.answer('clients')).toEqual({
      ready: false,
      notReady: { part: 'for clients' },
      warnings: { part: 'for rollout; for operators' },
    });
    expect(await questions.answer('rollout')).toEqual({
      ready: false,
      notReady: { part: 'for clients; for rollout' },
      warnings: { part: 'for operators' },
    });
  });

  it('have the class of their check when they are texts, and failures likewise', async () => {
    const failing = async () => Promise.reject(new Error('connection refused'));
    const checks: ReadinessChecks = {
      database: failing,
      manager: { class: 'rollout', check: failing },
      keys: { class: 'operators', check: () => 'a key is claimed twice' },
      peers: { class: 'rollout', check: () => operators },
    };
    expect(await asked(checks).answer('clients')).toEqual({
      ready: false,
      notReady: { database: 'connection refused' },
      warnings: { manager: 'connection refused', keys: 'a key is claimed twice', peers: 'for operators' },
    });
  });

  it('are absent when all is well', async () => {
    const checks = { database: () => undefined, peers: () => [] };
    expect(await asked(checks).answer('rollout')).toEqual({ ready: true, notReady: {} });
  });

  it('are series, so that what takes no service away can be alerted on', async () => {
    const metrics = createMetrics({ service: 'test', version: '1' });
    let present: ReadinessReason | undefined = operators;
    asked({ consensus: () => present }).measure(metrics);
    const series = async () =>
      (await metrics.expose()).split('\n').filter((line) => line.startsWith('tetrad_readiness_reason{'));
    const line = (name: string, value: number) =>
      `tetrad_readiness_reason{name="consensus",class="${name}"} ${value}`;
    expect(await series()).toEqual([line('clients', 0), line('rollout', 0), line('operators', 1)]);
    present = undefined;
    expect(await series()).toEqual([line('clients', 0), line('rollout', 0), line('operators', 0)]);
  });
});

describe('the questions after a start', () => {
  it('of a pod counts what a rollout waits for until it has gone once, and then what clients need', async () => {
    let present: ReadinessReason | undefined = rollout;
    const questions = asked({ part: () => present });
    const ready = async () => {
      const all = ['clients', 'rollout', 'started', 'pod'] as const;
      const answers = await Promise.all(all.map((one) => questions.answer(one)));
      return answers.map((one) => one.ready);
    };
    expect(await ready()).toEqual([true, false, false, false]);
    present = operators;
    expect(await ready()).toEqual([true, true, true, true]);
    present = rollout;
    expect(await ready()).toEqual([true, false, true, true]);
    present = clients;
    expect(await ready()).toEqual([false, false, true, false]);
    present = undefined;
    expect(await ready()).toEqual([true, true, true, true]);
  });
});
