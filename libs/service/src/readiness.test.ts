import { expect, it } from '@jest/globals';
import { readReadiness } from './readiness.js';

it('a warning is shown, and the service is ready; without one there is no such member', async () => {
  const checks = { database: () => undefined };
  const keys = 'a key is claimed twice';
  expect(await readReadiness(checks, { keys: () => keys, sync: () => undefined })).toEqual({
    ...{ ready: true, notReady: {}, warnings: { keys } },
  });
  expect(await readReadiness(checks, { keys: () => undefined })).toEqual({ ready: true, notReady: {} });
});
