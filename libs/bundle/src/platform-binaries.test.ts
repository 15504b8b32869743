import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isForPlatform } from './platform-binaries.js';
import { ROOT } from './services.js';

const prover = join(ROOT, 'node_modules/@aztec/bb.js');
const linux = { arch: 'x64', platform: 'linux' };

describe('binaries of a package for several platforms', () => {
  it('are those of the image alone', async () => {
    const folders = await readdir(join(prover, 'build'));
    expect(folders.length).toBeGreaterThan(1);
    const kept = (platform: typeof linux) =>
      folders.filter((name) => isForPlatform(prover, join(prover, 'build', name), platform));
    expect(kept(linux)).toEqual(['amd64-linux']);
    expect(kept({ arch: 'arm64', platform: 'linux' })).toEqual(['arm64-linux']);
    expect(isForPlatform(prover, join(prover, 'build/amd64-macos/bb'), linux)).toBe(false);
  });

  it('are all there for a platform that is not among them', async () => {
    const folders = await readdir(join(prover, 'build'));
    const other = { arch: 'riscv64', platform: 'linux' };
    for (const name of folders) expect(isForPlatform(prover, join(prover, 'build', name), other)).toBe(true);
  });

  it.each([prover, join(prover, 'build'), join(prover, 'dest/node/index.js'), join(prover, 'package.json')])(
    'do not concern %s',
    (path) => {
      expect(isForPlatform(prover, path, linux)).toBe(true);
    },
  );

  it('do not concern other packages', () => {
    const folder = join(ROOT, 'node_modules/other');
    expect(isForPlatform(folder, join(folder, 'build/amd64-macos'), linux)).toBe(true);
  });
});
