import { expect, it } from '@jest/globals';
import { silentMetrics, type Metrics } from '@tetrad/types';
import { BatcherMetrics, type BatcherStatus } from './batcher-metrics.js';

it('shows a failure also while the rows cannot be read', async () => {
  const values = new Map<string, number>();
  const reads: (() => Promise<void> | void)[] = [];
  const metrics: Metrics = {
    ...silentMetrics,
    gauge: (name) => ({ set: (value) => void values.set(name, value) }),
    onScrape: (read) => void reads.push(read),
  };
  const failing = () => Promise.reject(new Error('the database is unavailable'));
  let status: BatcherStatus = { isHolder: true, problem: undefined };
  const store = { countBatches: failing, readBacklog: failing, finalHeight: failing };
  const batcher = new BatcherMetrics(store, metrics, () => status);
  const scraped = async () => {
    for (const read of reads) await read();
    return ['rollup_batcher_active', 'rollup_batcher_failing'].map((name) => values.get(name));
  };
  expect(await scraped()).toEqual([1, 0]);
  await expect(batcher.report()).rejects.toThrow('unavailable');
  status = { isHolder: true, problem: 'lease: the database is unavailable' };
  expect(await scraped()).toEqual([1, 1]);
  status = { isHolder: false, problem: 'lease: the database is unavailable' };
  expect(await scraped()).toEqual([0, 0]);
});
