import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeFileError, onFile } from './file-error.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-file-error-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an error of the file system in words', () => {
  it('names the path, what was tried and the cause', async () => {
    const absent = await failureOf(readFile(join(folder, 'absent')));
    expect(describeFileError(absent)).toBe(`${folder}/absent cannot be opened: it does not exist (ENOENT)`);
    await mkdir(join(folder, 'there'));
    const again = await failureOf(mkdir(join(folder, 'there')));
    expect(describeFileError(again)).toBe(`${folder}/there cannot be created: it exists already (EEXIST)`);
  });

  it.each([
    ['EACCES', 'open', '/a cannot be opened: this user lacks the right (EACCES)'],
    ['ENOSPC', 'write', '/a cannot be written: the disk is full (ENOSPC)'],
    ['EROFS', 'mkdir', '/a cannot be created: the file system is read-only (EROFS)'],
  ])('says for %s of %s what the operator can do', (code, syscall, text) => {
    expect(describeFileError(Object.assign(new Error(code), { code, syscall, path: '/a' }))).toBe(text);
  });

  it('is none for errors of other kinds', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
    for (const error of [new Error('a fault'), refused, 'text', undefined])
      expect(describeFileError(error)).toBeUndefined();
  });
});

describe('work on an open file', () => {
  it('fails with the name of the file, which the system leaves out', async () => {
    const path = join(folder, 'file');
    const handle = await open(path, 'w');
    const bare = await failureOf(handle.read(Buffer.alloc(1), 0, 1, 0));
    const named = await failureOf(onFile(path, () => handle.read(Buffer.alloc(1), 0, 1, 0)));
    await handle.close();
    expect([bare, named]).toMatchObject([{ code: 'EBADF' }, { code: 'EBADF', path }]);
    expect(bare).not.toHaveProperty('path');
  });

  it('keeps the name that an error has, and leaves other errors as they are', async () => {
    const own = Object.assign(new Error('own'), { syscall: 'open', path: '/own' });
    expect(await failureOf(onFile('/other', () => Promise.reject(own)))).toHaveProperty('path', '/own');
    const fault = await failureOf(onFile('/other', () => Promise.reject(new Error('a fault'))));
    expect(fault).not.toHaveProperty('path');
  });
});
