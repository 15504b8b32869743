import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { containedPackages, readPackages, writePackages } from './bundled-packages.js';

it('a bundle holds the packages that left code in it: scoped and nested ones, each once', () => {
  const inputs = Object.fromEntries(
    [
      'libs/types/src/index.ts',
      'node_modules/zod/v4/core/parse.js',
      'node_modules/zod/index.js',
      'node_modules/@noble/hashes/sha3.js',
      'node_modules/viem/node_modules/@noble/curves/esm/secp256k1.js',
      'apps/console/node_modules/uplot/dist/uPlot.esm.js',
    ].map((path) => [path, { bytesInOutput: 1 }]),
  );
  const shaken = { 'node_modules/isows/index.js': { bytesInOutput: 0 } };
  const output = { bytes: 1, imports: [], exports: [] };
  const outputs = {
    'main.js': { ...output, inputs },
    'late.js': { ...output, inputs: { ...inputs, ...shaken } },
  };
  expect(containedPackages({ outputs })).toEqual([
    'apps/console/node_modules/uplot',
    'node_modules/@noble/hashes',
    'node_modules/viem/node_modules/@noble/curves',
    'node_modules/zod',
  ]);
});

it('the list of a bundle is read as it was written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-packages-'));
  try {
    const packages = { imported: ['secp256k1'], contained: ['node_modules/zod'] };
    await writePackages(folder, packages);
    expect(await readPackages(folder)).toEqual(packages);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
