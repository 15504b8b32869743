import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../paths.js';
import { readDurations } from './durations.js';
import { checkDurations, limitOf, type TimedFile } from './check-durations.js';

const recorded = Object.fromEntries(
  Array.from({ length: 9 }, (_, index) => [`${index}.test.ts`, 10 + index]),
);

/** A run in which every recorded file took so many times as long, and one more. */
function runOf(slowdown: number, added: TimedFile): TimedFile[] {
  const known = Object.entries(recorded).map(([file, seconds]) => ({ file, seconds: seconds * slowdown }));
  return [...known, added];
}

const added = (seconds: number) => ({ file: 'added.test.ts', seconds });

describe('how long test files took', () => {
  it('is too long far beyond the limit', () => {
    expect(checkDurations(runOf(1, added(200)), recorded)).toEqual({ slowdown: 1, tooSlow: [added(200)] });
    expect(checkDurations(runOf(1, added(170)), recorded).tooSlow).toEqual([]);
  });

  it('is checked by how slow the whole run was', () => {
    expect(checkDurations(runOf(4, added(700)), recorded)).toEqual({ slowdown: 4, tooSlow: [] });
    expect(checkDurations(runOf(4, added(730)), recorded).tooSlow).toEqual([added(730)]);
  });

  it('is not checked more strictly on a quicker host', () => {
    expect(checkDurations(runOf(0.2, added(170)), recorded)).toEqual({ slowdown: 1, tooSlow: [] });
  });

  it('is not checked where too few files ran to tell how busy the host was', () => {
    const few = [{ file: '0.test.ts', seconds: 5_000 }, added(5_000)];
    expect(checkDurations(few, recorded)).toEqual({ slowdown: undefined, tooSlow: [] });
  });

  it('is recorded to be within the limit on a quiet host', async () => {
    const durations = Object.entries(await readDurations());
    expect(durations.length).toBeGreaterThan(100);
    expect(durations.filter(([file, seconds]) => seconds > limitOf(file))).toEqual([]);
  });

  it('is recorded of files that exist', async () => {
    const files = Object.keys(await readDurations());
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
