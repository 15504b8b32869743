import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './metrics.js';

describe('metrics', () => {
  it('expose the service, the process and what was counted', async () => {
    const metrics = createMetrics({ service: 'node', version: '1.2.3' });
    metrics.counter('node_calls_total', 'Calls.', ['method']).increment({ method: 'eth_call' });
    metrics.counter('node_calls_total', 'Calls.', ['method']).increment({ method: 'eth_call' }, 2);
    metrics.gauge('node_head', 'Head.').set(7);
    metrics.histogram('node_call_seconds', 'Time.', [], [0.1, 1]).observe(0.5);
    const text = await metrics.expose();
    expect(text).toContain('tetrad_build_info{service="node",version="1.2.3"} 1');
    expect(text).toContain('node_calls_total{method="eth_call"} 3');
    expect(text).toContain('node_head 7');
    expect(text).toContain('node_call_seconds_bucket{le="1"} 1');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('refuse a name that is another kind of instrument already', () => {
    const metrics = createMetrics({ service: 'node', version: '1' });
    metrics.counter('node_things', 'Things.');
    expect(() => metrics.gauge('node_things', 'Things.')).toThrow('another kind');
  });

  it('count the same in a series as with labels', async () => {
    const metrics = createMetrics({ service: 'node', version: '1' });
    const calls = metrics.counter('node_calls_total', 'Calls.', ['method']);
    const series = calls.series({ method: 'eth_call' });
    series.increment();
    calls.increment({ method: 'eth_call' });
    calls.series({ method: 'eth_call' }).increment();
    const seconds = metrics.histogram('node_call_seconds', 'Time.', ['method'], [0.1, 1]);
    seconds.series({ method: 'eth_call' }).observe(0.1);
    seconds.observe(2, { method: 'eth_call' });
    const lines = [
      'node_calls_total{method="eth_call"} 3',
      'node_call_seconds_bucket{le="0.1",method="eth_call"} 1',
      'node_call_seconds_bucket{le="1",method="eth_call"} 1',
      'node_call_seconds_bucket{le="+Inf",method="eth_call"} 2',
      'node_call_seconds_sum{method="eth_call"} 2.1',
      'node_call_seconds_count{method="eth_call"} 2',
    ];
    // A second scrape adds nothing.
    await metrics.expose();
    const shown = (await metrics.expose()).split('\n').filter((line) => line.startsWith('node_call'));
    expect(shown).toEqual(lines);
    expect(() => seconds.observe(1, { path: '/' })).toThrow('metric node_call_seconds has no label path');
  });

  it('read values at a scrape, and keep them when the read fails or does not end', async () => {
    const metrics = createMetrics({ service: 'node', version: '1' });
    const free = metrics.gauge('node_free', 'Free.');
    let reads = 0;
    metrics.onScrape(() => {
      reads += 1;
      if (reads > 1) throw new Error('gone');
      free.set(5);
    });
    metrics.onScrape(() => new Promise(() => undefined));
    await metrics.expose();
    expect(await metrics.expose()).toContain('node_free 5');
    expect(reads).toBe(2);
  });

  it('are defined before they have a value', () => {
    const metrics = createMetrics({ service: 'node', version: '1' });
    metrics.counter('node_a_total', 'A.', ['kind']);
    metrics.histogram('node_b_seconds', 'B.');
    expect(metrics.definitions().filter(({ name }) => name.startsWith('node_'))).toEqual([
      { name: 'node_a_total', kind: 'counter', help: 'A.', labels: ['kind'] },
      { name: 'node_b_seconds', kind: 'histogram', help: 'B.', labels: [] },
    ]);
  });

  it('of two services in one process are apart', async () => {
    const [first, second] = ['a', 'b'].map((service) => createMetrics({ service, version: '1' }));
    first?.counter('x_total', 'X.').increment();
    expect(await second?.expose()).not.toContain('x_total');
  });
});
