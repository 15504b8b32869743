import { readFileSync } from 'node:fs';

/**
 * Whether a process runs. A zombie does not: where the first process of a host reaps its orphans late, as in many
 * containers, one that was killed keeps its id for seconds.
 *
 * Source: proc(5), /proc/pid/stat: state is field 3, behind a name that may hold anything
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return stateOf(pid) !== 'Z';
}

/** Undefined where the system does not say. */
function stateOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line.slice(line.lastIndexOf(')') + 2)[0];
  } catch {
    return undefined;
  }
}
