import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Network } from '@tetrad/devnet';

/** Linux counts the time of a process in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  readonly parent: number;
  /** Ticks of the process, and of children that have ended. */
  readonly own: number;
  readonly ended: number;
}

/** CPU seconds that a process has used since it was started. Linux; 0 elsewhere. */
export async function processCpu(pid: number): Promise<number> {
  return ((await readTimes(pid))?.own ?? 0) / TICKS_PER_SECOND;
}

/** CPU seconds of a process and its children, including those that have ended. */
async function familyCpu(pid: number): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(readTimes));
  const head = await readTimes(pid);
  const children = all.reduce((sum, times) => sum + (times?.parent === pid ? times.own : 0), 0);
  return (children + (head?.own ?? 0) + (head?.ended ?? 0)) / TICKS_PER_SECOND;
}

/** CPU seconds of the PostgreSQL of a network in the folder, with all its processes. */
export async function databaseCpu(folder: string): Promise<number> {
  const pidFile = join(folder, 'postgres', 'cluster', 'postmaster.pid');
  const [postmaster] = (await readFile(pidFile, 'utf8')).split('\n', 1);
  return familyCpu(Number(postmaster));
}

/** CPU seconds by process: of these of the network, of the load in this one, and of PostgreSQL with its processes. */
export async function cpuByProcess(
  { network, folder }: { readonly network: Network; readonly folder: string },
  names: readonly string[],
): Promise<Map<string, number>> {
  const { user, system } = process.cpuUsage();
  const cpu = new Map([['load', (user + system) / 1e6]]);
  for (const name of names) cpu.set(name, await processCpu(network.process(name).pid));
  return cpu.set('PostgreSQL', await databaseCpu(folder));
}

/** What each process used between two readings. */
export function cpuBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Map<string, number> {
  return new Map([...after].map(([name, cpu]) => [name, cpu - (before.get(name) ?? 0)]));
}

/** CPU seconds of all running processes with the text in their command lines. */
export async function commandCpu(text: string): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  let seconds = 0;
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(text)) seconds += await processCpu(Number(pid));
  }
  return seconds;
}

async function readTimes(pid: number): Promise<ProcessTimes | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may have spaces in it; what follows begins with the third field.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  if (fields.length < 15) return undefined;
  const at = (field: number) => fields[field - 3] ?? 0;
  return { parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) };
}
