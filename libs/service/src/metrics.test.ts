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

  it('of two services in one process are apart', async () => {
    const [first, second] = ['a', 'b'].map((service) => createMetrics({ service, version: '1' }));
    first?.counter('x_total', 'X.').increment();
    expect(await second?.expose()).not.toContain('x_total');
  });
});
