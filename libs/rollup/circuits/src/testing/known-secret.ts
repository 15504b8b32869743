import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bn254 } from '@noble/curves/bn254.js';
import { normalizeZ } from '@noble/curves/abstract/curve.js';
import { encodeWord } from '@tetrad/rollup-crypto';
import { G1_FILE, G2_FILE, readPinnedG2 } from '../points/points-file.js';
import { ProverLibrary } from '../prover-library.js';
import { startBb } from '../start-bb.js';

/**
 * A secret that is public, so that its points are made in seconds: of those of the ceremony there are not enough here for
 * large batches. Who knows the secret can prove anything, which is why the product refuses these points. Small, since each
 * point is the one before times it; more than two, so that sums of different points with signs are never equal, as a prover
 * that adds them without a look takes for granted.
 */
const SECRET = 5n;

type Point = typeof bn254.G1.Point.BASE;

const timesSecret = (point: Point) => point.double().double().add(point);

/**
 * Writes points of the secret as `bb` reads them.
 * @param count - of points of G1
 */
export async function writeKnownPoints(folder: string, count: number): Promise<void> {
  const points = [bn254.G1.Point.BASE];
  for (let last = bn254.G1.Point.BASE; points.length < count; points.push(last)) last = timesSecret(last);
  const words = normalizeZ(bn254.G1.Point, points).flatMap(({ x, y }) => [encodeWord(x), encodeWord(y)]);
  await writeFile(join(folder, G1_FILE), Buffer.concat(words));
  await writeFile(join(folder, G2_FILE), Buffer.concat(knownG2()));
}

/**
 * Starts `bb` with the points of a folder, without the check of `openProverLibrary`: for measurements and tests of the verifiers alone.
 *
 * @param folder - with what `writeKnownPoints` wrote; it is removed when the library is closed
 * @param threads - of a proof
 * @returns a prover that no verifier of the product believes
 */
export async function openInsecureLibrary(folder: string, threads?: number): Promise<ProverLibrary> {
  return new ProverLibrary(await startBb(folder, threads), folder);
}

/** Puts the secret's point into the source of a verifier, which has that of the ceremony. */
export async function withKnownPoint(source: string): Promise<string> {
  const pinned = await readPinnedG2();
  return knownG2().reduce((text, word, index) => {
    const before = pinned.subarray(32 * index, 32 * (index + 1)).toString('hex');
    if (!text.includes(before)) throw new TypeError('the verifier does not have the point of the ceremony');
    return text.replaceAll(before, Buffer.from(word).toString('hex'));
  }, source);
}

/** The secret times the generator of G2, as words in the order of the file. */
function knownG2(): Uint8Array[] {
  const { x, y } = bn254.G2.Point.BASE.multiply(SECRET).toAffine();
  return [x.c0, x.c1, y.c0, y.c1].map(encodeWord);
}
