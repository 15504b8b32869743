import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A source does not compile; the message is the compiler's. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
}

const SOURCES = 'assembly';
const TARGET = join('src', 'generated');

/**
 * Optimised for speed, with vectors of 128 bits, and neither allocator nor garbage collector; memory below 1 MiB is the
 * program's.
 */
const OPTIONS = [
  '-O3',
  '--noAssert',
  '--enable',
  'simd',
  '--runtime',
  'stub',
  '--memoryBase',
  '1048576',
  '--initialMemory',
  '17',
];

/**
 * Compiles the folder's `assembly/NAME.ts`, each a module with its parts in `assembly/NAME/`, into
 * `src/generated/NAME.ts`, which exports the bytes of the module as base64. Leaves alone what is up to date.
 * @returns whether anything was compiled
 * @throws AssemblyError
 */
export async function compileFolder(folder: string): Promise<boolean> {
  const files = (await readdir(join(folder, SOURCES), { recursive: true }))
    .filter((file) => file.endsWith('.ts'))
    .sort();
  await mkdir(join(folder, TARGET), { recursive: true });
  const names = files.filter((file) => dirname(file) === '.');
  const compiled = await Promise.all(
    names.map(async (name) => {
      const parts = files.filter((file) => dirname(file) === basename(name, '.ts'));
      return compileFile(folder, await readSource(folder, [name, ...parts]));
    }),
  );
  return compiled.includes(true);
}

/** The texts of a module by file: its own first, then those of its parts. */
type Source = readonly (readonly [file: string, text: string])[];

async function readSource(folder: string, files: readonly string[]): Promise<Source> {
  return Promise.all(
    files.map(async (file) => [file, await readFile(join(folder, SOURCES, file), 'utf8')] as const),
  );
}

async function compileFile(folder: string, source: Source): Promise<boolean> {
  const name = source[0]?.[0] ?? '';
  const hash = createHash('sha256')
    .update(JSON.stringify([OPTIONS, source]))
    .digest('hex');
  const stamp = `// Compiled from ${SOURCES}/${name}, ${hash}.\n`;
  const target = join(folder, TARGET, name);
  if ((await readFile(target, 'utf8').catch(() => '')).startsWith(stamp)) return false;
  const module = await compile(name, source);
  // Whole or not at all: another build may read it meanwhile.
  await writeFile(`${target}.next`, `${stamp}export default '${Buffer.from(module).toString('base64')}';\n`);
  await rename(`${target}.next`, target);
  return true;
}

/**
 * The WebAssembly module of an AssemblyScript source.
 * @throws AssemblyError
 */
async function compile(name: string, source: Source): Promise<Uint8Array> {
  // Megabytes of compiler that a build without changes does not load.
  const { main } = await import('assemblyscript/asc');
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-assembly-'));
  try {
    for (const [file, text] of source) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const { error, stderr } = await main([name, '--baseDir', folder, '--outFile', 'module.wasm', ...OPTIONS]);
    if (error !== null) throw new AssemblyError(`${error.message}\n${stderr.toString()}`);
    return await readFile(join(folder, 'module.wasm'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
