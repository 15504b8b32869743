import { createHash } from 'node:crypto';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { CircuitError, SRS_FOLDER } from '../circuit-cache.js';

/** A point is x (32) ‖ y (32), big-endian. */
export const POINT_BYTES = 64;
/** Names that `bb` reads in the folder of its points. */
export const G1_FILE = 'bn254_g1.dat';
export const G2_FILE = 'bn254_g2.dat';
/** Points that every file begins with: those of libs/rollup/circuits/srs. */
export const PINNED_POINTS = 2 ** 15 + 1;

/** SHA-256, from libs/rollup/circuits/srs/ORIGIN.md. */
const PINNED = {
  [G1_FILE]: 'd769ac6c98f8fab858a7e9967f2b7f181d8ad9fdcdf55438c915696febf0e99c',
  [G2_FILE]: '01797bfc4de5a96f0e516a9ea4537d18786dc30cb991aca4274c95822b69c32f',
};

/**
 * Gates of the circuit: at least as many as sizes 1, 2, 8, 32 and 128 have, which are 32,225, 102,679, 385,326 and 1,522,242 from 2 on. The
 * circuit of contracts without consents has fewer.
 */
const FIRST_GATES = 8_800;
const GATES_OF_OPERATION = 11_840;

/** How many points the circuit of batches of the size needs, which is one more than a power of two. */
export function pointsFor(size: number): number {
  const gates = FIRST_GATES + GATES_OF_OPERATION * size;
  return Math.max(2 ** Math.ceil(Math.log2(gates)) + 1, PINNED_POINTS);
}

/**
 * That the folder has points of the ceremony, and not of a secret that a party knows and could prove anything with. It is
 * enough to look at the first ones: what follows them in the file was compared with them when it was fetched, and points that
 * do not belong together prove nothing.
 * @throws CircuitError
 */
export async function assertPinnedPoints(folder: string): Promise<void> {
  const file = await openPoints(join(folder, G1_FILE));
  try {
    const bytes = await readAt(file, { first: 0, count: PINNED_POINTS, path: join(folder, G1_FILE) });
    assertPinned(bytes, G1_FILE, folder);
  } finally {
    await file.close();
  }
}

/** The first points of the ceremony, x (32) ‖ y (32) each. */
export async function readPinnedG1(): Promise<Buffer> {
  const bytes = await readFile(join(SRS_FOLDER, G1_FILE));
  assertPinned(bytes, G1_FILE, SRS_FOLDER);
  return bytes;
}

/** The point of G2 of the ceremony, 128 bytes. */
export async function readPinnedG2(): Promise<Buffer> {
  const bytes = await readFile(join(SRS_FOLDER, G2_FILE));
  assertPinned(bytes, G2_FILE, SRS_FOLDER);
  return bytes;
}

/**
 * Points of a file as they are there.
 * @throws CircuitError when it has fewer
 */
export async function readAt(
  file: FileHandle,
  { first, count, path }: { readonly first: number; readonly count: number; readonly path: string },
): Promise<Buffer> {
  const bytes = Buffer.alloc(count * POINT_BYTES);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, first * POINT_BYTES);
  if (bytesRead === bytes.length) return bytes;
  const there = first + Math.floor(bytesRead / POINT_BYTES);
  throw new CircuitError(`${path} has ${there} points, not ${first + count}`);
}

/** @throws CircuitError naming the file */
export async function openPoints(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CircuitError(`the proving points ${path} cannot be read (${code})`, { cause: error });
  }
}

function assertPinned(bytes: Uint8Array, name: keyof typeof PINNED, folder: string): void {
  if (createHash('sha256').update(bytes).digest('hex') === PINNED[name]) return;
  throw new CircuitError(`${join(folder, name)} does not hold the proving points of the ceremony`);
}
