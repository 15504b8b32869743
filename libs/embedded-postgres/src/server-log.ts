import { readFile } from 'node:fs/promises';

/** The last error in the log of a server that did not start. */
export async function lastLogLine(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n');
  const telling = lines.filter((line) => /FATAL|PANIC|error/i.test(line)).pop() ?? lines.pop() ?? '';
  return telling.replace(/^\S+ \S+ \S+ \[\d+\] /, '');
}
