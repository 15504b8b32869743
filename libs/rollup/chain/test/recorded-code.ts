import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Creation code of a contract of an earlier version, with `0x` (recorded/ORIGIN.md). */
export async function recordedCode(name: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, 'recorded', `${name}.hex`), 'utf8');
  return `0x${text.replaceAll('\n', '')}`;
}
