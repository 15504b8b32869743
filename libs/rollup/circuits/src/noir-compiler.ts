import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CircuitError } from './circuit-cache.js';

/** A compiled program without keys. */
export interface CompiledProgram {
  /** ACIR, gzip. */
  readonly bytecode: string;
  /** Interface of `main`. */
  readonly abi: unknown;
}

interface Compiler {
  createFileManager(folder: string): object;
  compile_program(
    files: object,
    path?: string,
    log?: (line: string) => void,
    debug?: (line: string) => void,
  ): Promise<{ readonly program: CompiledProgram }>;
}

/**
 * Compiles Noir sources in a folder of their own, which is removed.
 *
 * @param writeSources - writes the package into an empty folder
 * @returns the program
 * @throws CircuitError with the compiler's words when a source does not compile
 */
export async function compileSources(
  writeSources: (folder: string) => Promise<void>,
): Promise<CompiledProgram> {
  const compiler = createRequire(import.meta.url)('@noir-lang/noir_wasm') as Compiler;
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-circuit-'));
  const lines: string[] = [];
  try {
    await writeSources(folder);
    const log = (line: string) => void lines.push(line);
    const { program } = await silently(() =>
      compiler.compile_program(compiler.createFileManager(folder), undefined, log, log),
    );
    return { bytecode: program.bytecode, abi: program.abi };
  } catch (error) {
    throw new CircuitError([...lines, (error as Error).message].join('\n'), { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/* eslint-disable no-console -- the compiler takes no other function for this line */
/** The compiler says on standard output that it begins, where programs write their results. */
async function silently<Result>(work: () => Promise<Result>): Promise<Result> {
  const { log } = console;
  console.log = () => undefined;
  try {
    return await work();
  } finally {
    console.log = log;
  }
}
/* eslint-enable no-console */

/**
 * Versions of the compiler and of the prover, of which keys follow too.
 *
 * @returns one text for each
 * @throws CircuitError when one is not installed
 */
export function toolVersions(): Promise<string[]> {
  return Promise.all(['@noir-lang/noir_wasm', '@aztec/bb.js'].map(packageVersion));
}

/**
 * The sources of a package.
 *
 * @param folders - where they are; of two with one name the one in the later folder counts
 * @returns names of the files, in order, then their texts
 */
export async function sourceTexts(...folders: readonly string[]): Promise<string[]> {
  const paths = new Map<string, string>();
  for (const folder of folders)
    for (const name of await readdir(folder)) if (name.endsWith('.nr')) paths.set(name, join(folder, name));
  const names = [...paths.keys()].sort();
  const texts = await Promise.all(names.map((name) => readFile(paths.get(name) as string, 'utf8')));
  return [...names, ...texts];
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
