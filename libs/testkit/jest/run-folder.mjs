import { readdirSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const GB = 1024 ** 3;
/** Of the file system in memory: networks, their databases, and packages that tests install, of all workers. */
const NEEDED_BYTES = 6 * GB;
/** Of the host, with the workers and the services that tests start. */
const NEEDED_MEMORY_BYTES = 12 * GB;
/** Of the type of file system that is memory. */
const TMPFS = 0x01021994;
/** A run writes into its folder more often, also one whose process cannot be seen from here (containers that share the memory). */
const LEFT_MS = 30 * 60_000;
/** As that of `/tmp`: PostgreSQL and PgBouncer run as another user where tests run as root. */
const OF_ALL_USERS = 0o1777;
const NAME = /^tetrad-test-(\d+)-/;

/**
 * Makes the folder for everything that a run of tests writes. It is in memory where there is room: there, a database of a
 * template of nine megabytes in 500 files is made in a tenth of the time. No test depends on the disk: what ends in one are
 * processes, not the host, and what a process wrote outlives it in both.
 *
 * `TMPDIR`, where it is set, names another folder.
 */
export async function makeRunFolder() {
  const isInMemory = (process.env.TMPDIR ?? '') === '' && hasRoom();
  if (isInMemory) await removeLeft(MEMORY);
  const folder = await mkdtemp(join(isInMemory ? MEMORY : tmpdir(), `tetrad-test-${process.pid}-`));
  await chmod(folder, OF_ALL_USERS);
  return folder;
}

function hasRoom() {
  if (process.platform !== 'linux' || freemem() < NEEDED_MEMORY_BYTES) return false;
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    return type === TMPFS && bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Removes the folders of runs that were killed: they would hold memory until the host starts again. */
async function removeLeft(parent) {
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    if (pid === 0 || isRunning(pid)) continue;
    const path = join(parent, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > LEFT_MS) await rm(path, { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
