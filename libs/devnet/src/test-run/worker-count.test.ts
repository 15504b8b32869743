import { expect, it } from '@jest/globals';
import { workerCount } from './worker-count.js';

const GB = 1024 ** 3;

it.each([
  [{ cores: 2, gigabytes: 24 }, 4],
  [{ cores: 2, gigabytes: 12 }, 4],
  [{ cores: 2, gigabytes: 10 }, 3],
  [{ cores: 2, gigabytes: 4 }, 2],
  [{ cores: 1, gigabytes: 64 }, 2],
  [{ cores: 1, gigabytes: 1 }, 2],
  [{ cores: 8, gigabytes: 32 }, 10],
  [{ cores: 8, gigabytes: 16 }, 8],
  [{ cores: 8, gigabytes: 64 }, 16],
])('on a host with %j %i test files run at once', ({ cores, gigabytes }, workers) => {
  expect(workerCount({ cores, memoryBytes: gigabytes * GB })).toBe(workers);
});
