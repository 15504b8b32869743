import { describe, expect, it } from '@jest/globals';
import { silentMetrics, type Metrics } from '@tetrad/types';
import { RequestMetrics } from './request-metrics.js';
import { watchManager } from './watch-manager.js';

function setting() {
  const seen: string[] = [];
  const values = (labels: object = {}) => Object.values(labels).join(' ');
  const metrics: Metrics = {
    ...silentMetrics,
    counter: () => ({
      ...silentMetrics.counter('', ''),
      increment: (labels) => void seen.push(values(labels)),
    }),
    gauge: () => ({ set: (value) => void seen.push(`reachable ${value}`) }),
  };
  return { seen, requests: new RequestMetrics(metrics) };
}

describe('requests to a manager', () => {
  it('are counted by the first part of their path, and show whether the manager answers', () => {
    const { seen, requests } = setting();
    requests.finished({ path: '/transaction/aGFzaA%3D%3D?to=key' }, 'refused', 0);
    requests.finished({ path: '/send' }, 'unknown', 0);
    requests.finished({ path: '/version/api' }, 'done', 0);
    expect(seen).toEqual([
      'transaction refused',
      'reachable 1',
      'send unknown',
      'reachable 0',
      'version done',
      'reachable 1',
    ]);
  });

  it('that the node aborts say nothing of the manager, unless they took too long', () => {
    const { seen, requests } = setting();
    requests.finished({ path: '/send', signal: AbortSignal.abort() }, 'unknown', 0);
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    requests.finished({ path: '/send', signal: late }, 'unknown', 0);
    expect(seen).toEqual(['send aborted', 'send unknown', 'reachable 0']);
  });
});

describe('the watch of a manager', () => {
  it('asks again after a while, until it ends', async () => {
    let asked = 0;
    const scheduled: (() => void)[] = [];
    const upcheck = async () => {
      asked += 1;
      return { kind: 'unknown', reason: 'away' } as const;
    };
    const end = watchManager(
      { upcheck },
      { schedule: (_ms, task) => (scheduled.push(task), () => undefined) },
    );
    await new Promise(setImmediate);
    scheduled.shift()?.();
    await new Promise(setImmediate);
    expect([asked, scheduled.length]).toEqual([2, 1]);
    end();
    scheduled.shift()?.();
    await new Promise(setImmediate);
    expect(scheduled).toEqual([]);
  });
});
