import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderInUseError, takeFolderLock } from './folder-lock.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the lock of a folder', () => {
  it('is held by one at a time, and free again after its release', async () => {
    const lock = await takeFolderLock(path);
    await expect(takeFolderLock(path)).rejects.toThrow(new FolderInUseError('this process'));
    await lock.release();
    await (await takeFolderLock(path)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is waited for', async () => {
    const lock = await takeFolderLock(path);
    const next = takeFolderLock(path, 60_000);
    let isTaken = false;
    void next.then(() => (isTaken = true));
    await expect(takeFolderLock(path)).rejects.toThrow(FolderInUseError);
    expect(isTaken).toBe(false);
    await lock.release();
    await (await next).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('names the live process that holds it', async () => {
    const child = spawn('sleep', ['3600']);
    try {
      const own = await takeFolderLock(path);
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => undefined);
      const text = await readFile(path, 'utf8');
      await own.release();
      const start = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
      await writeFile(path, text.replace(/^\d+/, String(child.pid)).replace(/\.\d+$/m, `.${start}`));
      await expect(takeFolderLock(path)).rejects.toThrow(`it is in use by process ${child.pid}`);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it.each([
    ['has ended', '999999999 x.1'],
    ['had a number that another process has now', `${process.pid} x.1`],
    ['wrote nothing', ''],
    ['was none', 'nonsense'],
  ])('is taken from a holder that %s', async (_what, text) => {
    await writeFile(path, `${text}\n`);
    const lock = await takeFolderLock(path);
    await expect(takeFolderLock(path)).rejects.toThrow(new FolderInUseError('this process'));
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a dead holder is taken by one of many contenders', async () => {
    await writeFile(path, '999999999 x.1\n');
    const taken = await Promise.allSettled(Array.from({ length: 12 }, () => takeFolderLock(path)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('is taken although a process was killed while removing it', async () => {
    await writeFile(path, '999999999 x.1\n');
    await mkdir(`${path}.broken`);
    await utimes(`${path}.broken`, 1, 1);
    await (await takeFolderLock(path)).release();
    expect(await readdir(folder)).toEqual([]);
  });
});
