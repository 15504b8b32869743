import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { systemClock, type Clock } from '@tetrad/types';
import { FolderWatch } from './folder-watch.js';

const NEVER = 600_000;

let folder: string;
let watch: FolderWatch | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-watch-'));
});
afterEach(async () => {
  watch?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A watch that counts what it reports, and a wait for a count. */
function start(settings: { quietMs: number; periodMs: number; folders?: readonly string[]; clock?: Clock }) {
  const seen = { reports: 0 };
  const onChange = () => void (seen.reports += 1);
  watch = new FolderWatch({ folders: [folder], clock: systemClock, onChange, ...settings });
  return { seen, reported: (count: number) => until(() => seen.reports >= count) };
}

/** A clock whose long waits end when the test says so. */
function createPeriod() {
  let period: (() => void) | undefined;
  const clock: Clock = {
    now: () => systemClock.now(),
    schedule(delayMs, task) {
      if (delayMs !== NEVER) return systemClock.schedule(delayMs, task);
      period = task;
      return () => undefined;
    },
  };
  return { clock, runPeriod: () => period?.() };
}

describe('a watch of folders', () => {
  it('reports a folder that never rests', async () => {
    const { seen } = start({ quietMs: 50, periodMs: NEVER });
    for (let index = 0; seen.reports === 0; index++) {
      await writeFile(join(folder, 'file'), String(index));
      await new Promise((tick) => setTimeout(tick, 2));
    }
    expect(seen.reports).toBeGreaterThan(0);
  });

  it('reports now and then without an event, also of a folder that is not there', async () => {
    const { reported } = start({ quietMs: 1, periodMs: 20, folders: [join(folder, 'none')] });
    await reported(3);
  });

  it('reports a folder that was not there at first, by its events', async () => {
    const later = join(folder, 'later');
    const { clock, runPeriod } = createPeriod();
    const { seen, reported } = start({ quietMs: 1, periodMs: NEVER, folders: [later], clock });
    await mkdir(later);
    runPeriod();
    expect(seen.reports).toBe(1);
    await writeFile(join(later, 'file'), '');
    await reported(2);
  });

  it('reports nothing once it is closed', async () => {
    const { seen, reported } = start({ quietMs: 1, periodMs: 10 });
    await reported(1);
    watch?.close();
    const { reports } = seen;
    await writeFile(join(folder, 'file'), '');
    await new Promise((tick) => setTimeout(tick, 100));
    expect(seen.reports).toBe(reports);
  });
});
