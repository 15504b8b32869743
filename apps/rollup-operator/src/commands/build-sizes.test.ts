import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CircuitError, SRS_FOLDER, loadCircuit } from '@tetrad/rollup-circuits';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { assertCheckout, buildSizes, buildSizesOptions } from './build-sizes.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-build-sizes-'));
});
afterAll(() => rm(folder, { recursive: true }));

function run(...words: string[]) {
  const config = loadConfig({
    service: 'rollup-operator',
    options: buildSizesOptions,
    environment: {},
    commandLine: parseCommandLine(words, buildSizesOptions),
  });
  return buildSizes(config);
}

describe('building sizes of batches', () => {
  it('says what is there, and whether account holders know it', async () => {
    const { pointsDir, sizes } = await run('--sizes', '1,2');
    expect(pointsDir).toBe(SRS_FOLDER);
    const { gates, version } = await loadCircuit(2);
    expect(sizes.map(({ size, points, isKnown }) => [size, points, isKnown])).toEqual([
      [1, 32_769, true],
      [2, 32_769, true],
    ]);
    expect(sizes[1]).toMatchObject({ gates, circuit: version });
  });

  it('names the points that are missing, before anything is built', async () => {
    const outcome = run('--sizes', '8,32');
    await expect(outcome).rejects.toBeInstanceOf(OperatorError);
    await expect(outcome).rejects.toThrow(
      /batches of 32 need 524289 proving points, and .* has 32769; .*or say here where they are: --from URL\|FILE --points-dir DIR/,
    );
    await expect(run('--sizes', '8', '--from', 'points.dat')).rejects.toThrow('--from needs --points-dir');
  });

  it('takes points from a file alone that has enough of them', async () => {
    const points = join(folder, 'points');
    const from = join(SRS_FOLDER, 'bn254_g1.dat');
    const outcome = run('--sizes', '8', '--points-dir', points, '--from', from);
    await expect(outcome).rejects.toBeInstanceOf(CircuitError);
    await expect(outcome).rejects.toThrow('has 32769 points, not 131073');
    expect(await readdir(points)).toEqual([]);
  });

  it('is done in a checkout that was built', async () => {
    expect(() => assertCheckout(folder, false)).toThrow(
      /has no libs\/rollup\/chain\/dist\/contract\/main\.js: sizes are built in a checkout/,
    );
    for (const name of ['libs/rollup/chain/dist/contract/main.js', 'libs/compilers/dist/solidity/main.js']) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), '');
    }
    assertCheckout(folder, false);
    expect(() => assertCheckout(folder, true)).toThrow(/has no .*write-known-contracts\.js/);
    const list = join(folder, 'libs/rollup/chain/dist/testing/write-known-contracts.js');
    await mkdir(dirname(list), { recursive: true });
    await writeFile(list, '');
    expect(() => assertCheckout(folder, true)).toThrow('run ./tetrad build test first');
  });
});
