import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CircuitError,
  SOURCES,
  circuitVersion,
  readCircuit,
  writeCircuit,
  type Circuit,
} from './circuit-cache.js';
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
  const folder = join(SOURCES, 'src');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.nr')).sort();
  const sources = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const versions = await Promise.all(['@noir-lang/noir_wasm', '@aztec/bb.js'].map(packageVersion));
  return circuitVersion([String(size), ...versions, JSON.stringify(PROVER_SETTINGS), ...names, ...sources]);
}

async function packageVersion(name: string): Promise<string> {
  // Their `exports` do not list package.json, so it is looked for where the package is.
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    const text = await readFile(join(folder, name, 'package.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) return `${name}@${(JSON.parse(text) as { version: string }).version}`;
  }
  throw new CircuitError(`${name} is not installed`);
}

interface Compiler {
  createFileManager(folder: string): object;
  compile_program(
    files: object,
    path?: string,
    log?: (line: string) => void,
    debug?: (line: string) => void,
  ): Promise<{ readonly program: Pick<Circuit, 'bytecode' | 'abi'> }>;
}

/**
 * Compiles a copy of the sources in which the size is the one asked for: the circuit without keys, for any size.
 *
 * Fails: CircuitError
 */
export async function compileCircuit(size: number): Promise<Pick<Circuit, 'size' | 'bytecode' | 'abi'>> {
  assertSize(size);
  const compiler = createRequire(import.meta.url)('@noir-lang/noir_wasm') as Compiler;
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-circuit-'));
  const lines: string[] = [];
  try {
    await cp(SOURCES, folder, { recursive: true });
    const main = join(folder, 'src', 'main.nr');
    const source = await readFile(main, 'utf8');
    if (!SIZE_LINE.test(source)) throw new CircuitError('main.nr does not say its size');
    await writeFile(main, source.replace(SIZE_LINE, `global SIZE: u32 = ${size};`));
    const log = (line: string) => void lines.push(line);
    const { program } = await compiler.compile_program(
      compiler.createFileManager(folder),
      undefined,
      log,
      log,
    );
    return { size, bytecode: program.bytecode, abi: program.abi };
  } catch (error) {
    throw new CircuitError([...lines, (error as Error).message].join('\n'), { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
