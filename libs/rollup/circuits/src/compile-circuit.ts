import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CircuitError,
  SOURCES,
  circuitVersion,
  readCircuit,
  writeCircuit,
  type Circuit,
} from './circuit-cache.js';
import { compileSources, sourceTexts, toolVersions } from './noir-compiler.js';
import { PROVER_SETTINGS, openProverLibrary } from './prover-library.js';

/** Sizes for which the proving points that ship are enough. */
export const BUILT_SIZES = [1, 2] as const;
const MAX_CIRCUIT_SIZE = 4096;
const SIZE_LINE = /^global SIZE: u32 = \d+;$/m;

/**
 * Makes the circuit for batches of that size unless it is there already, which takes 5 to 15 s.
 *
 * Out:   whether it was made
 * Fails: CircuitError, with the compiler's words when a source does not compile
 */
export async function buildCircuit(size: number): Promise<boolean> {
  assertSize(size);
  const version = await currentVersion(size);
  if ((await readCircuit(size))?.version === version) return false;
  const compiled = await compileCircuit(size);
  await writeCircuit({ ...compiled, ...(await makeKeys(compiled.bytecode)), version });
  return true;
}

async function currentVersion(size: number): Promise<string> {
  const sources = await sourceTexts(join(SOURCES, 'src'));
  const versions = await toolVersions();
  return circuitVersion([String(size), ...versions, JSON.stringify(PROVER_SETTINGS), ...sources]);
}

/**
 * Compiles a copy of the sources in which the size is the one asked for: the circuit without keys, for any size.
 *
 * Fails: CircuitError
 */
export async function compileCircuit(size: number): Promise<Pick<Circuit, 'size' | 'bytecode' | 'abi'>> {
  assertSize(size);
  const compiled = await compileSources(async (folder) => {
    await cp(SOURCES, folder, { recursive: true });
    const main = join(folder, 'src', 'main.nr');
    const source = await readFile(main, 'utf8');
    if (!SIZE_LINE.test(source)) throw new CircuitError('main.nr does not say its size');
    await writeFile(main, source.replace(SIZE_LINE, `global SIZE: u32 = ${size};`));
  });
  return { size, ...compiled };
}

function assertSize(size: number): void {
  if (Number.isInteger(size) && size >= 1 && size <= MAX_CIRCUIT_SIZE) return;
  throw new CircuitError(`a batch has 1 to ${MAX_CIRCUIT_SIZE} operations, not ${size}`);
}

type Keys = Pick<Circuit, 'verificationKey' | 'verifier' | 'optimizedVerifier' | 'gates'>;

async function makeKeys(bytecode: string): Promise<Keys> {
  const library = await openProverLibrary();
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
