import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { dumpRecords } from './dump-source.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-dump-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a dump that is no text file in UTF-8', () => {
  it.each(['\ufeff', '\ufffe'])(
    'is refused by name when it is UTF-16, with the byte order mark %j',
    async (mark) => {
      const path = join(folder, 'dump.sql');
      writeFileSync(path, `${mark}-- PostgreSQL database dump\n`, 'utf16le');
      await expect(dumpRecords(path).next()).rejects.toThrow(`${path}: is written in UTF-16`);
    },
  );

  it.each(['/dev/zero', '/dev/null'])('is refused when it is a device: %s', async (path) => {
    await expect(dumpRecords(path).next()).rejects.toThrow(`${path}: is not a regular file`);
  });

  it('is refused when it is a folder', async () => {
    await expect(dumpRecords(folder).next()).rejects.toThrow(`${folder}: is not a regular file`);
  });
});
