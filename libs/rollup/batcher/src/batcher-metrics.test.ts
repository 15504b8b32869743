import { expect, it } from '@jest/globals';
import { silentMetrics, type Metrics } from '@tetrad/types';
import { BatcherMetrics, type BatcherStatus } from './batcher-metrics.js';
import type { Demands } from './demand-watch.js';

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

it('shows by when what holders demand is served', () => {
  const values = new Map<string, number>();
  const reads: (() => Promise<void> | void)[] = [];
  const metrics: Metrics = {
    ...silentMetrics,
    gauge: (name) => ({ set: (value) => void values.set(name, value) }),
    onScrape: (read) => void reads.push(read),
  };
  const store = { countBatches: never, readBacklog: never, finalHeight: never };
  const terms = { stallTimeoutSeconds: 3_600, requestsPerTimeout: 40, depositsPerTimeout: 400, tokens: 1 };
  const requests = { open: 3, failing: 1, overdueAt: 1_500 };
  const seen = {
    terms,
    requests,
    progress: [],
    block: 7,
    atSeconds: 1_000,
    overdueAt: 1_500,
    announced: [],
    isFrozen: false,
  };
  let demands: Demands | undefined;
  new BatcherMetrics(store, metrics, () => ({ isHolder: true, problem: undefined, demands }));
  const scraped = () => {
    for (const read of reads) void read();
    return [
      'frozen',
      'requests_open',
      'requests_failing',
      'stall_timeout_seconds',
      'deadline_seconds',
      'freezes_announced',
      'freeze_seconds',
    ].map((name) => values.get(`rollup_${name}`));
  };
  expect(scraped()).toEqual([0, 0, 0, 0, 0, 0, 0]);
  demands = seen;
  expect(scraped()).toEqual([0, 3, 1, 3_600, 500, 0, 3_600]);
  demands = {
    ...seen,
    announced: [
      { by: { accountId: 7 }, announcedAt: 900, freezableAt: 1_700 },
      { by: { deposit: 3 }, announcedAt: 950, freezableAt: 1_800 },
    ],
  };
  expect(scraped()).toEqual([0, 3, 1, 3_600, 500, 2, 700]);
  demands = { ...seen, overdueAt: undefined, isFrozen: true };
  expect(scraped()).toEqual([1, 3, 1, 3_600, 3_600, 0, 3_600]);
});

const never = () => Promise.reject(new Error('it is not asked'));
