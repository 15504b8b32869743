import { open } from 'node:fs/promises';

/** Bytes read from the end of the file. */
const MAX_BYTES = 64 * 1024;
/** Characters shown. */
const MAX_LENGTH = 400;

/** The last error in etcd's log, as one line; the log has a JSON object per line. */
export async function lastComplaint(logFile: string): Promise<string> {
  const lines = (await readEnd(logFile)).trim().split('\n');
  const telling =
    lines.filter((line) => /"level":"(fatal|panic|error)"/.test(line)).pop() ?? lines.pop() ?? '';
  return textOf(telling).slice(0, MAX_LENGTH);
}

async function readEnd(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - MAX_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function textOf(line: string): string {
  try {
    const { msg, error } = JSON.parse(line) as { msg?: unknown; error?: unknown };
    return [msg, error].filter((part) => typeof part === 'string').join(': ');
  } catch {
    return line;
  }
}
