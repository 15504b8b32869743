import { readFile, readdir, readlink } from 'node:fs/promises';

/** A process that listens on a port. */
export interface PortHolder {
  readonly pid: number;
  readonly commandLine: string;
}

/** State of a socket that listens. Source: Linux, include/net/tcp_states.h */
const LISTEN = '0A';

/**
 * The process that listens on a port of this host, as far as this user can see it; undefined elsewhere than on Linux.
 *
 * Source: proc(5), /proc/net/tcp: local address is field 1, state field 3, inode field 9
 */
export async function findPortHolder(port: number): Promise<PortHolder | undefined> {
  const inodes = await socketsOn(port);
  if (inodes.size === 0) return undefined;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    if (!(await hasSocket(pid, inodes))) continue;
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return { pid: Number(pid), commandLine: words.split('\0').join(' ').trim() };
  }
  return undefined;
}

async function socketsOn(port: number): Promise<ReadonlySet<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)));
  const listening = rows.filter((row) => row[1]?.endsWith(suffix) === true && row[3] === LISTEN);
  return new Set(listening.map((row) => `socket:[${row[9]}]`));
}

async function hasSocket(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return links.some((link) => sockets.has(link));
}
