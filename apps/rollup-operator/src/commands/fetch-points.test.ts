import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SRS_FOLDER } from '@tetrad/rollup-circuits';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import { fetchPointsCommand, fetchPointsOptions } from './fetch-points.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-fetch-points-'));
});
afterAll(() => rm(folder, { recursive: true }));

function run(size: number) {
  const words = ['--size', String(size), '--from', join(SRS_FOLDER, 'bn254_g1.dat'), '--points-dir', folder];
  const config = loadConfig({
    service: 'rollup-operator',
    options: fetchPointsOptions,
    environment: {},
    commandLine: parseCommandLine(words, fetchPointsOptions),
  });
  return fetchPointsCommand(config);
}

it('fetch-points takes as many points as batches of the size need, and leaves a good folder alone otherwise', async () => {
  await expect(run(2)).resolves.toEqual({ pointsDir: folder, points: 32_769 });
  const names = await readdir(folder);
  expect(names.sort()).toEqual(['bn254_g1.dat', 'bn254_g2.dat']);
  await expect(run(8)).rejects.toThrow('has 32769 points, not 131073');
  expect((await readdir(folder)).sort()).toEqual(names);
});
