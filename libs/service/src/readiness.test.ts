import { expect, it } from '@jest/globals';
import { readReadiness } from './readiness.js';

it('a warning is shown and leaves the service ready; without warnings the member is absent', async () => {
  const checks = { database: () => undefined };
  const keys = 'a key is claimed twice';
  expect(await readReadiness(checks, { keys: () => keys, sync: () => undefined })).toEqual({
    ...{ ready: true, notReady: {}, warnings: { keys } },
  });
  expect(await readReadiness(checks, { keys: () => undefined })).toEqual({ ready: true, notReady: {} });
});
