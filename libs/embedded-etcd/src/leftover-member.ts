import { readFile, readdir } from 'node:fs/promises';
import { basename } from 'node:path';

const LOOK_AGAIN_MS = 30;

/**
 * Ends an etcd that still uses the data folder, and returns when it is gone. Such a process is left when the process
 * that owned it was killed together with the guard. The caller holds the lock of the folder, so no other process owns it.
 *
 * Where the system does not list processes (no /proc) none is found; etcd itself then waits for the lock of its data.
 */
export async function endLeftoverOn(data: string): Promise<void> {
  for (;;) {
    const pids = await findServersOn(data);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
  }
}

/** Nothing happens when it has ended in the meantime. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Process ids. A process that has ended has no command line any more, even as a zombie. */
async function findServersOn(data: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        const [program = '', ...args] = line.split('\0');
        return basename(program) === 'etcd' && args.includes(`--data-dir=${data}`) ? [Number(pid)] : [];
      }),
  );
  return found.flat();
}
