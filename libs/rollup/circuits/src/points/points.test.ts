import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bn254 } from '@noble/curves/bn254.js';
import { decodeWord, encodeWord } from '@tetrad/rollup-crypto';
import { CircuitError, SRS_FOLDER, loadCircuit } from '../circuit-cache.js';
import { openProverLibrary } from '../prover-library.js';
import { checkPoints } from './check-points.js';
import { assertEnoughPoints } from './enough-points.js';
import {
  G1_FILE,
  G2_FILE,
  PINNED_POINTS,
  POINT_BYTES,
  assertPinnedPoints,
  pointsFor,
} from './points-file.js';

type Point = typeof bn254.G1.Point.BASE;

/** Points of the ceremony that are compared, as if only the first were known. */
const CHECKED = 300;
const MODULUS = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;

let folder: string;
let ceremony: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-points-'));
  ceremony = await readFile(join(SRS_FOLDER, G1_FILE));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file of the first points, changed. */
async function changed(change: (bytes: Buffer) => void, count = CHECKED): Promise<string> {
  const bytes = Buffer.from(ceremony.subarray(0, count * POINT_BYTES));
  change(bytes);
  const path = join(folder, 'changed.dat');
  await writeFile(path, bytes);
  return path;
}

const pointAt = (bytes: Buffer, index: number) =>
  bytes.subarray(index * POINT_BYTES, (index + 1) * POINT_BYTES);
const check = (path: string) => checkPoints(path, { count: CHECKED, after: 0 });

describe('points of a file', () => {
  it('are accepted when each follows from the one before, in several parts', async () => {
    const seen: number[] = [];
    const path = join(SRS_FOLDER, G1_FILE);
    await checkPoints(path, { count: 8_400, after: 100, onProgress: (checked) => seen.push(checked) });
    expect(seen).toEqual([8_293, 8_400]);
  });

  it.each<[string, (bytes: Buffer) => void, RegExp]>([
    [
      'another point of the ceremony',
      (bytes) => pointAt(bytes, 200).set(pointAt(bytes, 7)),
      /point 200 is not of the ceremony/,
    ],
    [
      'two points in each other’s places',
      (bytes) => {
        const [one, other] = [Buffer.from(pointAt(bytes, 100)), Buffer.from(pointAt(bytes, 101))];
        pointAt(bytes, 100).set(other);
        pointAt(bytes, 101).set(one);
      },
      /point 100 is not of the ceremony/,
    ],
    [
      'a point with the other sign',
      (bytes) => {
        const y = BigInt(`0x${pointAt(bytes, 250).subarray(32).toString('hex')}`);
        pointAt(bytes, 250)
          .subarray(32)
          .set(Buffer.from((MODULUS - y).toString(16).padStart(64, '0'), 'hex'));
      },
      /point 250 is not of the ceremony/,
    ],
    [
      'a point that is not on the curve',
      (bytes) => void pointAt(bytes, 5).writeUInt8((bytes[5 * POINT_BYTES + 63] ?? 0) ^ 1, 63),
      /point 5 is not on the curve/,
    ],
    [
      'a number above the modulus',
      (bytes) => {
        const x = BigInt(`0x${pointAt(bytes, 0).subarray(0, 32).toString('hex')}`);
        pointAt(bytes, 0).set(Buffer.from((x + MODULUS).toString(16).padStart(64, '0'), 'hex'));
      },
      /point 0 is not on the curve/,
    ],
    ['infinity', (bytes) => pointAt(bytes, 9).fill(0), /point 9 is not on the curve/],
    [
      'infinity at the end',
      (bytes) => pointAt(bytes, CHECKED - 1).fill(0),
      new RegExp(`point ${CHECKED - 1} is not on the curve`),
    ],
    [
      'one other point at the end',
      (bytes) => pointAt(bytes, CHECKED - 1).set(pointAt(bytes, 7)),
      new RegExp(`point ${CHECKED - 1} is not of the ceremony`),
    ],
    [
      'a sequence of another secret from some point on',
      (bytes) => {
        let point = bn254.G1.Point.fromAffine({
          x: decodeWord(bytes, 100 * POINT_BYTES),
          y: decodeWord(bytes, 100 * POINT_BYTES + 32),
        });
        for (let index = 101; index < CHECKED; index += 1) {
          point = point.double();
          const { x, y } = point.toAffine();
          pointAt(bytes, index).set(Buffer.concat([encodeWord(x), encodeWord(y)]));
        }
      },
      /point 101 is not of the ceremony/,
    ],
    [
      'two points whose sum is right',
      (bytes) => {
        const [one, other] = [150, 220].map((index) =>
          bn254.G1.Point.fromAffine({
            x: decodeWord(bytes, index * POINT_BYTES),
            y: decodeWord(bytes, index * POINT_BYTES + 32),
          }),
        ) as [Point, Point];
        for (const [index, point] of [
          [150, one.add(bn254.G1.Point.BASE)],
          [220, other.subtract(bn254.G1.Point.BASE)],
        ] as const) {
          const { x, y } = point.toAffine();
          pointAt(bytes, index).set(Buffer.concat([encodeWord(x), encodeWord(y)]));
        }
      },
      /point 150 is not of the ceremony/,
    ],
  ])('are refused with %s', async (_, change, message) => {
    const checking = check(await changed(change));
    await expect(checking).rejects.toThrow(message);
    await expect(checking).rejects.toBeInstanceOf(CircuitError);
  });

  it('are refused when there are too few, or no file', async () => {
    await expect(check(await changed(() => undefined, CHECKED - 1))).rejects.toThrow(
      `has ${CHECKED - 1} points, not ${CHECKED}`,
    );
    await expect(check(join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)');
  });
});

describe('a prover', () => {
  it('starts with no points but those of the ceremony', async () => {
    const other = await mkdtemp(join(folder, 'other-'));
    await writeFile(join(other, G1_FILE), await readFile(await changed(() => undefined, PINNED_POINTS)));
    await assertPinnedPoints(other);
    // Points of a secret that is known begin with the generator as well, and go on differently.
    const bytes = await readFile(join(other, G1_FILE));
    pointAt(bytes, 1).set(pointAt(bytes, 2));
    await writeFile(join(other, G1_FILE), bytes);
    await expect(openProverLibrary({ pointsFolder: other })).rejects.toThrow(
      'does not hold the proving points of the ceremony',
    );
    await expect(openProverLibrary({ pointsFolder: join(other, 'none') })).rejects.toThrow('ENOENT');
  });

  it('leaves the folder of its points as it is: it may be a volume that is mounted read-only', async () => {
    const mounted = await mkdtemp(join(folder, 'mounted-'));
    for (const name of [G1_FILE, G2_FILE])
      await writeFile(join(mounted, name), await readFile(join(SRS_FOLDER, name)));
    // No obstacle for an administrator, whom the list of names finds.
    await chmod(mounted, 0o555);
    const { bytecode, verificationKey } = await loadCircuit(1);
    const library = await openProverLibrary({ pointsFolder: mounted });
    const made = await library.verificationKey(bytecode);
    expect((await readdir(library.folder)).sort()).toEqual(expect.arrayContaining([G1_FILE, G2_FILE]));
    await library.close();
    await expect(readdir(library.folder)).rejects.toThrow('ENOENT');
    await chmod(mounted, 0o755);
    expect(Buffer.from(made).equals(verificationKey)).toBe(true);
    expect((await readdir(mounted)).sort()).toEqual([G1_FILE, G2_FILE]);
  });

  it('is not started for a size that its points are too few for', async () => {
    await assertEnoughPoints([1, 2], undefined);
    const few = await mkdtemp(join(folder, 'few-'));
    await writeFile(join(few, G1_FILE), ceremony);
    await assertEnoughPoints([2], few);
    const outcome = assertEnoughPoints([2, 8], few);
    await expect(outcome).rejects.toBeInstanceOf(CircuitError);
    await expect(outcome).rejects.toThrow(
      `batches of 8 need 131073 proving points, and ${join(few, G1_FILE)} has 32769; fetch them with: ` +
        `rollup-operator fetch-points --size 8 --from URL|FILE --points-dir ${few}`,
    );
    await expect(assertEnoughPoints([32], undefined)).rejects.toThrow('batches of 32 need 524289');
  });

  it('needs so many points that its circuit fits', () => {
    expect([1, 2, 8, 32].map(pointsFor)).toEqual([15, 15, 17, 19].map((power) => 2 ** power + 1));
  });
});
