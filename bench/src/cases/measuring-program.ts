import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from '@tetrad/devnet';

const LIBRARY = join(ROOT, 'libs/node/chain/evm');

/** A program among the tests of a part of the repository. */
export interface TestProgram {
  readonly entry: string;
  /** Where it is built: inside the part whose packages it imports. */
  readonly program: string;
  /** Its arguments. */
  readonly words: readonly string[];
}

/**
 * Runs a program that imports what tests have, which is not a dependency of the product: it is built next to the packages
 * that it imports, and run in a process of its own.
 */
export async function runBuilt({ entry, program, words }: TestProgram): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  await promisify(execFile)(process.execPath, [program, ...words]);
}

/** What `test/speed/NAME.ts` of the interpreter measures, beside the tests' oracle. */
export async function runMeasuringProgram(name: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-evm-'));
  const report = join(folder, 'speed.json');
  try {
    await runBuilt({
      entry: join(LIBRARY, 'test/speed', `${name}.ts`),
      program: join(LIBRARY, 'dist/speed', `${name}.js`),
      words: [report],
    });
    return JSON.parse(await readFile(report, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
