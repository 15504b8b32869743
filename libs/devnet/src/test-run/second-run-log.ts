import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../paths.js';

/** Committed: what one run could not repeat is counted over all of them. */
const LOG_FILE = join(ROOT, 'libs/testkit/jest/second-runs.json');
const WINDOW_DAYS = 30;
const MS_PER_DAY = 86_400_000;
/** So many unmended ones within the window are a defect (docs/adr/0144). */
const DEFECT = 3;

const logSchema = z.array(
  z.strictObject({
    /** YYYY-MM-DD */
    date: z.iso.date(),
    /** Test file from the root, which failed and then passed by itself. */
    file: z.string().min(1),
    /** What was wrong and is mended; an entry without it still counts. */
    mended: z.string().min(1).optional(),
  }),
);

/** Second runs that were needed, oldest first. */
export type SecondRunLog = z.infer<typeof logSchema>;

/** @throws ZodError or SyntaxError when the file is malformed */
export async function readSecondRuns(): Promise<SecondRunLog> {
  return logSchema.parse(JSON.parse(await readFile(LOG_FILE, 'utf8')));
}

/** Appends one entry a file, and returns the whole log. */
export async function recordSecondRuns(files: readonly string[], now: Date): Promise<SecondRunLog> {
  const date = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
  const log = [...(await readSecondRuns()), ...files.map((file) => ({ date, file }))];
  await writeFile(LOG_FILE, `${JSON.stringify(log, null, 2)}\n`);
  return log;
}

/** Unmended second runs of the 30 days up to the newest entry, if they are so many that the suite has a defect. */
export function tooManySecondRuns(log: SecondRunLog): SecondRunLog {
  const open = log.filter(({ mended }) => mended === undefined);
  const newest = Math.max(...open.map(({ date }) => Date.parse(date)));
  const recent = open.filter(({ date }) => newest - Date.parse(date) < WINDOW_DAYS * MS_PER_DAY);
  return recent.length >= DEFECT ? recent : [];
}
