import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CircuitError,
  EARLIER_SOURCES,
  SOURCES,
  circuitVersion,
  listCircuits,
  readCircuit,
  removeCircuit,
  writeCircuit,
  type Circuit,
} from './circuit-cache.js';
import { compileSources, sourceTexts, toolVersions } from './noir-compiler.js';
import { pointsFolderOf } from './points/bb-folder.js';
import { checkPoints } from './points/check-points.js';
import { assertEnoughPoints } from './points/enough-points.js';
import { G1_FILE, pointsFor } from './points/points-file.js';
import { PROVER_SETTINGS, openProverLibrary } from './prover-library.js';

/** Sizes for which the proving points that ship are enough. */
export const BUILT_SIZES = [1, 2] as const;
const MAX_CIRCUIT_SIZE = 4096;
const SIZE_LINE = /^global SIZE: u32 = \d+;$/m;

export interface BuildCircuitOptions {
  /** False for the circuit of contracts without consents, which are served but not made any more. */
  readonly hasConsents?: boolean;
  /** Folder of the proving points; by default that of CRS_PATH, or the one that ships. */
  readonly pointsFolder?: string | undefined;
  /** Whether `fetchPoints` or an earlier call has looked at as many of the points as the size needs. */
  readonly arePointsChecked?: boolean;
  /** Called with the number of points that are checked by then. */
  readonly onProgress?: (checked: number) => void;
}

/**
 * Makes the circuit for batches of that size unless it is there already, which takes 5 to 15 s, and a minute for each 2^17 points that are not
 * checked yet: who chooses the points of a key chooses what it verifies.
 *
 * @param size - operations of a batch
 * @param options - with which points
 * @returns whether it was made
 * @throws CircuitError, with the compiler's words when a source does not compile; naming a point that is not of the ceremony
 */
export async function buildCircuit(size: number, options: BuildCircuitOptions = {}): Promise<boolean> {
  assertSize(size);
  const { hasConsents = true } = options;
  const version = await circuitVersionOf(size, hasConsents);
  if ((await readCircuit(size, hasConsents))?.version === version) return false;
  const folder = pointsFolderOf(options.pointsFolder);
  await assertEnoughPoints([size], folder);
  if (options.arePointsChecked !== true)
    await checkPoints(join(folder, G1_FILE), { count: pointsFor(size), onProgress: options.onProgress });
  const compiled = await compileCircuit(size, hasConsents);
  await writeCircuit({ ...compiled, ...(await makeKeys(compiled.bytecode, folder)), version });
  return true;
}

/**
 * Removes the circuits that were made of other sources or by other tools than there are now: contracts of these would not belong together.
 *
 * @param kept - sizes that are made anew by the build
 * @returns the sizes that are gone, each once
 */
export async function removeOutdatedCircuits(kept: readonly number[]): Promise<number[]> {
  const removed = new Set<number>();
  for (const hasConsents of [true, false])
    for (const size of await listCircuits(hasConsents)) {
      if (kept.includes(size)) continue;
      const circuit = await readCircuit(size, hasConsents);
      if (circuit?.version === (await circuitVersionOf(size, hasConsents))) continue;
      await removeCircuit(size, hasConsents);
      removed.add(size);
    }
  return [...removed].sort((one, other) => one - other);
}

/**
 * Which circuit the sources and tools that are here make.
 *
 * @param size - of batches
 * @param hasConsents - false for that of contracts without consents
 * @returns a hash of all that it follows from
 */
export async function circuitVersionOf(size: number, hasConsents = true): Promise<string> {
  const sources = await sourceTexts(...sourceFolders(hasConsents));
  const versions = await toolVersions();
  return circuitVersion([String(size), ...versions, JSON.stringify(PROVER_SETTINGS), ...sources]);
}

/**
 * Compiles a copy of the sources in which the size is the one asked for: the circuit without keys, for any size.
 *
 * @param size - of batches
 * @param hasConsents - false for that of contracts without consents
 * @returns the program
 * @throws CircuitError with the compiler's words
 */
export async function compileCircuit(
  size: number,
  hasConsents = true,
): Promise<Pick<Circuit, 'size' | 'hasConsents' | 'bytecode' | 'abi'>> {
  assertSize(size);
  const compiled = await compileSources(async (folder) => {
    await cp(SOURCES, folder, { recursive: true });
    if (!hasConsents) await cp(EARLIER_SOURCES, folder, { recursive: true });
    const main = join(folder, 'src', 'main.nr');
    const source = await readFile(main, 'utf8');
    if (!SIZE_LINE.test(source)) throw new CircuitError('main.nr does not say its size');
    await writeFile(main, source.replace(SIZE_LINE, `global SIZE: u32 = ${size};`));
  });
  return { size, hasConsents, ...compiled };
}

/** Of two files with one name the one in the later folder counts. */
function sourceFolders(hasConsents: boolean): string[] {
  return [SOURCES, ...(hasConsents ? [] : [EARLIER_SOURCES])].map((folder) => join(folder, 'src'));
}

function assertSize(size: number): void {
  if (Number.isInteger(size) && size >= 1 && size <= MAX_CIRCUIT_SIZE) return;
  throw new CircuitError(`a batch has 1 to ${MAX_CIRCUIT_SIZE} operations, not ${size}`);
}

type Keys = Pick<Circuit, 'verificationKey' | 'verifier' | 'optimizedVerifier' | 'gates'>;

async function makeKeys(bytecode: string, pointsFolder: string): Promise<Keys> {
  const library = await openProverLibrary({ pointsFolder });
  try {
    const verificationKey = await library.verificationKey(bytecode);
    return {
      verificationKey,
      verifier: await library.solidityVerifier(verificationKey, 'standard'),
      optimizedVerifier: await library.solidityVerifier(verificationKey, 'optimized'),
      gates: await library.gates(bytecode),
    };
  } finally {
    await library.close();
  }
}
