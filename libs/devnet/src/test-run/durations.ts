import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../paths.js';
import { checkDurations, limitOf, type TimedFile } from './check-durations.js';
import type { TestReport } from './report.js';

const SHOWN = 10;
/** Read by the sequencer beside it. */
const DURATIONS_FILE = join(ROOT, 'libs/testkit/jest/durations.json');
/** Also of files that take no time at all, so that each is recorded and none is guessed. */
const LEAST_SECONDS = 0.1;

const durationsSchema = z.record(z.string(), z.number().positive());

/** Seconds that files took on a quiet host, by their paths from the root of the repository. */
export type Durations = z.infer<typeof durationsSchema>;

/** @throws ZodError or SyntaxError when the file is not what `recordDurations` writes */
export async function readDurations(): Promise<Durations> {
  return durationsSchema.parse(JSON.parse(await readFile(DURATIONS_FILE, 'utf8')));
}

/** Prints the slowest files of a run of several. */
export function sayTheSlowest(report: TestReport): void {
  const slowest = slowestFirst(report).slice(0, SHOWN);
  if (slowest.length < 2) return;
  console.error(`\nThe slowest ${slowest.length} files:`);
  for (const { file, seconds } of slowest) console.error(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
}

/** Prints the files that took too long, relative to how busy the host was. No run fails for it: one file may meet all the load. */
export async function saySlowFiles(report: TestReport): Promise<void> {
  const { slowdown, tooSlow } = checkDurations(slowestFirst(report), await readDurations());
  for (const { file, seconds } of tooSlow) {
    console.error(
      `TOO SLOW ${file}: ${seconds.toFixed(0)} s, where it may take ${limitOf(file)} s; ` +
        `this run was ${slowdown?.toFixed(1)} times as slow as the recorded one`,
    );
  }
}

/** Writes how long each file took, in tenths of a second; what did not run is left out, so record whole runs. */
export async function recordDurations(report: TestReport): Promise<void> {
  const rows = slowestFirst(report).map(({ file, seconds }) => [
    file,
    Math.max(LEAST_SECONDS, Math.round(seconds * 10) / 10),
  ]);
  await writeFile(DURATIONS_FILE, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

function slowestFirst({ testResults }: TestReport): TimedFile[] {
  return testResults
    .map(({ name, startTime, endTime }) => ({
      file: name.slice(ROOT.length),
      seconds: (endTime - startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds);
}
