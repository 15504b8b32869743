import { statSync } from 'node:fs';

const GROUP_READS = 0o040;
const OTHERS_READ = 0o004;

/**
 * A warning when others than the owner may read a file that holds a secret. A group may read one of root's: containers get
 * secrets so.
 *
 * @param path the file
 * @returns one line for the operator; undefined when only the owner may read it, and on systems without file modes
 * @throws as `node:fs` does
 */
export function othersWhoRead(path: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const file = statSync(path);
  const { mode, uid } = file;
  // A pipe or a device holds nothing to read once it was read.
  if (!file.isFile()) return undefined;
  const isGiven = uid === 0 && process.getuid?.() !== 0;
  if ((mode & (isGiven ? OTHERS_READ : OTHERS_READ | GROUP_READS)) === 0) return undefined;
  return `${path} can be read by others than its owner (mode ${(mode & 0o777).toString(8)}): make it 600`;
}
