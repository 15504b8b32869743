import { expect, it } from '@jest/globals';
import { METRIC_CATEGORIES, selectMetrics } from './metrics-listener.js';

const TEXT = `# HELP nodejs_heap_bytes Heap.
# TYPE nodejs_heap_bytes gauge
nodejs_heap_bytes 1
# HELP process_cpu_seconds_total Time.
process_cpu_seconds_total 2
signer_rpc_calls_total{method="eth_accounts"} 3
`;

it('shows the chosen kinds of metrics with their comments', () => {
  expect(selectMetrics(TEXT, ['JVM'])).toBe(
    '# HELP nodejs_heap_bytes Heap.\n# TYPE nodejs_heap_bytes gauge\nnodejs_heap_bytes 1\n',
  );
  expect(selectMetrics(TEXT, ['HTTP'])).toBe('signer_rpc_calls_total{method="eth_accounts"} 3\n');
  expect(selectMetrics(TEXT, METRIC_CATEGORIES)).toBe(TEXT);
});
