import { describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { chainProblem, watchChainId } from './client-chain.js';

/** A client that answers with these chain ids, one a question, and with the last one from then on. */
function setting(...answers: readonly (bigint | Error)[]) {
  const left = [...answers];
  const scheduled: (() => void)[] = [];
  const warnings: unknown[] = [];
  const asked = { count: 0 };
  const quantity = async () => {
    asked.count++;
    const answer = left.length > 1 ? left.shift() : left[0];
    if (typeof answer !== 'bigint') throw answer;
    return answer;
  };
  const parts = {
    downstream: { onBehalfOf: () => ({ quantity }) },
    clock: {
      schedule: (_ms: number, run: () => void) => {
        scheduled.push(run);
        return () => void scheduled.splice(scheduled.indexOf(run), 1);
      },
    },
    logger: { warn: (_text: string, values: unknown) => void warnings.push(values) },
  };
  return { parts, scheduled, warnings, asked };
}

const down = new Error('connection refused');

describe('the watch of the chain id', () => {
  it('warns of a client on another chain, once', async () => {
    const { parts, scheduled, warnings } = setting(9n);
    watchChainId(1337n, parts);
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([{ chainId: '1337', clientChainId: '9' }]);
    expect(scheduled).toEqual([]);
  });

  it('asks again until the client answers', async () => {
    const { parts, scheduled, warnings, asked } = setting(down, down, 1337n);
    watchChainId(1337n, parts);
    for (const question of [1, 2]) {
      await until(() => scheduled.length > 0);
      expect(asked.count).toBe(question);
      scheduled.shift()?.();
    }
    await until(() => asked.count === 3);
    expect(warnings).toEqual([]);
  });

  it('ends when it is stopped', async () => {
    const { parts, scheduled, asked } = setting(down);
    const stop = watchChainId(1337n, parts);
    await until(() => scheduled.length > 0);
    stop();
    expect(scheduled).toEqual([]);
    const stopEarly = watchChainId(1337n, parts);
    stopEarly();
    await until(() => asked.count === 2);
    await new Promise((turn) => setImmediate(turn));
    expect(scheduled).toEqual([]);
  });
});

describe('whether the client can be submitted to', () => {
  it('is a matter of its chain', async () => {
    expect(await chainProblem(setting(1337n).parts.downstream, 1337n)).toBeUndefined();
    expect(await chainProblem(setting(9n).parts.downstream, 1337n)).toBe(
      'it has chain id 9, --chain-id is 1337',
    );
    await expect(chainProblem(setting(down).parts.downstream, 1337n)).rejects.toBe(down);
  });
});
