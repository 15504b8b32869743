import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeRunFolder } from '../jest/run-folder.mjs';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tetrad-runs-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

describe('the folder of a run of tests', () => {
  it('is that of each test file for what it writes', () => {
    expect(tmpdir()).toBe(process.env['TETRAD_TEST_RUN_DIR']);
  });

  it('is in the folder that TMPDIR names', async () => {
    process.env['TMPDIR'] = parent;
    const folder = await makeRunFolder();
    expect(dirname(folder)).toBe(parent);
    expect(basename(folder)).toMatch(new RegExp(`^tetrad-test-${process.pid}-`));
  });
});
