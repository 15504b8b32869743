import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../paths.js';
import { leavingOut } from './ignored-tests.js';

it('leaves out one file beside those that the configuration of Jest leaves out', async () => {
  const options = await leavingOut('test/readme/readme.scenario.test.ts');
  const patterns = options.map((option) => /^--testPathIgnorePatterns=(.+)$/.exec(option)?.[1] ?? '');
  const isIgnored = (path: string) => patterns.some((pattern) => new RegExp(pattern).test(path));
  for (const path of [
    'test/readme/readme.scenario.test.ts',
    'libs/rlp/dist/read.test.ts',
    'node_modules/a/a.test.ts',
    'libs/rpc/src/client.type.test.ts',
  ])
    expect([path, isIgnored(join(ROOT, path))]).toEqual([path, true]);
  expect(isIgnored(join(ROOT, 'libs/rlp/src/read-rlp.prop.test.ts'))).toBe(false);
});

it('reads the list where Jest reads it', async () => {
  const config = await readFile(join(ROOT, 'jest.config.mjs'), 'utf8');
  for (const option of (await leavingOut('none')).slice(0, -1))
    expect(config).toContain(option.replace('--testPathIgnorePatterns=', '').replaceAll('\\', '\\\\'));
});
