import { mkdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { TetradError } from '@tetrad/types';
import { writeNewWhole } from './whole-file.js';

/** A folder that no other process uses until this one releases it or ends. */
export interface FolderLock {
  release(): Promise<void>;
}

/** The folder belongs to another process, or to another part of this one. */
export class FolderInUseError extends TetradError {
  override readonly name = 'FolderInUseError';
  override readonly code = 'FOLDER_IN_USE';

  constructor(readonly holder: string) {
    super(`it is in use by ${holder}`, { data: { holder } });
  }
}

const LOOK_AGAIN_MS = 50;
/** Removing the lock of a dead process takes a moment; a mark that is older was left by a process killed while doing so. */
const BREAKING_MS = 10_000;

/**
 * Takes the lock file, which contains `pid start` of its holder. The lock of a process that has ended is removed, also
 * when its pid has been reused.
 * @param waitMs - how long to wait for a live holder
 * @throws FolderInUseError; as `node:fs` does
 */
export async function takeFolderLock(path: string, waitMs = 0): Promise<FolderLock> {
  const self = (await identityOf(process.pid)) ?? String(process.pid);
  const deadline = Date.now() + waitMs;
  for (;;) {
    if (await writeLock(path, `${self}\n`)) return { release: () => removeOf(path, self) };
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    if (!(await lives(holder))) await breakLock(path, holder);
    else if (Date.now() >= deadline) throw new FolderInUseError(describe(holder));
    else await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
  }
}

async function removeOf(path: string, holder: string): Promise<void> {
  if ((await readHolder(path)) === holder) await rm(path, { force: true });
}

async function writeLock(path: string, text: string): Promise<boolean> {
  try {
    await writeNewWhole(path, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trimEnd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Of several processes that find the same dead holder one removes the file; no new one can be created before that. */
async function breakLock(path: string, holder: string): Promise<void> {
  const mark = `${path}.broken`;
  try {
    await mkdir(mark);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs } = await stat(mark).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > BREAKING_MS) await rmdir(mark).catch(() => undefined);
    else await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
    return;
  }
  try {
    await removeOf(path, holder);
  } finally {
    await rmdir(mark).catch(() => undefined);
  }
}

async function lives(holder: string): Promise<boolean> {
  const [pid = ''] = holder.split(' ');
  if (!/^[1-9]\d{0,9}$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const identity = await identityOf(Number(pid));
  // Where the system does not report start times, any process with the pid counts as the holder.
  return identity === undefined ? !(await canTell()) : identity === holder;
}

function describe(holder: string): string {
  const [pid] = holder.split(' ');
  return Number(pid) === process.pid ? 'this process' : `process ${pid}`;
}

const canTell = async () => (await identityOf(process.pid)) !== undefined;

/**
 * `pid boot.start` of a process; undefined when it has ended, even as a zombie, and where the system does not report it.
 *
 * Source: proc(5), /proc/pid/stat: state is field 3 and start time field 22, behind a name that may hold anything
 */
async function identityOf(pid: number): Promise<string | undefined> {
  const [line, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
  ]);
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return start === undefined || state === 'Z' || state === 'X' ? undefined : `${pid} ${boot.trim()}.${start}`;
}
