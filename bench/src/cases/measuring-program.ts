import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from '@tetrad/devnet';

const LIBRARY = join(ROOT, 'libs/node/evm');

/**
 * What `test/speed/NAME.ts` of the interpreter measures. It imports the tests' programs and oracle, which are no
 * dependencies of the product, so it is built here, next to the packages that it imports, and run in a process of its
 * own.
 */
export async function runMeasuringProgram(name: string): Promise<unknown> {
  const program = join(LIBRARY, 'dist/speed', `${name}.js`);
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-evm-'));
  const report = join(folder, 'speed.json');
  try {
    await build({
      ...{ entryPoints: [join(LIBRARY, 'test/speed', `${name}.ts`)], outfile: program },
      ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm', logLevel: 'error' },
    });
    await promisify(execFile)(process.execPath, [program, report]);
    return JSON.parse(await readFile(report, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
