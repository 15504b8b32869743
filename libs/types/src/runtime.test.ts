import { expect, it } from '@jest/globals';
import { systemClock } from './runtime.js';

it('a task scheduled for a year in the far future does not run at once', async () => {
  const ran: string[] = [];
  const cancel = systemClock.schedule(2 ** 62, () => ran.push('far'));
  for (let ticks = 0; ticks < 20; ticks++) await new Promise<void>((done) => systemClock.schedule(1, done));
  cancel();
  expect(ran).toEqual([]);
});
