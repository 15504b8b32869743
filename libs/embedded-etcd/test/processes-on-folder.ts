import { readFileSync, readdirSync } from 'node:fs';

/** Ids of the processes that have the folder's data in their command line: etcd, and the shells that guard it. */
export function processesOnFolder(folder: string): {
  readonly etcd: number;
  readonly guards: readonly number[];
} {
  const pids = readdirSync('/proc').filter((name) => commandLine(name).includes(`--data-dir=${folder}/`));
  const isShell = (pid: string) => commandLine(pid).startsWith('/bin/sh');
  const [etcd] = pids.filter((pid) => !isShell(pid));
  return { etcd: Number(etcd), guards: pids.filter(isShell).map(Number) };
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
