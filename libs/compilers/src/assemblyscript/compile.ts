import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A source does not compile; the message is the compiler's. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
}

const SOURCES = 'assembly';
const TARGET = join('src', 'generated');

/** Optimised for speed, with neither allocator nor garbage collector; memory below 1 MiB is the program's. */
const OPTIONS = [
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--memoryBase',
  '1048576',
  '--initialMemory',
  '17',
];

/**
 * Compiles the folder's `assembly/NAME.ts`, each a module, into `src/generated/NAME.ts`, which exports the bytes of
 * the module as base64. Leaves alone what is up to date.
 *
 * Out:   whether anything was compiled
 * Fails: AssemblyError
 */
export async function compileFolder(folder: string): Promise<boolean> {
  const names = (await readdir(join(folder, SOURCES))).filter((name) => name.endsWith('.ts')).sort();
  await mkdir(join(folder, TARGET), { recursive: true });
  const compiled = await Promise.all(names.map((name) => compileFile(folder, name)));
  return compiled.includes(true);
}

async function compileFile(folder: string, name: string): Promise<boolean> {
  const source = await readFile(join(folder, SOURCES, name), 'utf8');
  const hash = createHash('sha256')
    .update(JSON.stringify([OPTIONS, source]))
    .digest('hex');
  const stamp = `// Compiled from ${SOURCES}/${name}, ${hash}.\n`;
  const target = join(folder, TARGET, name);
  if ((await readFile(target, 'utf8').catch(() => '')).startsWith(stamp)) return false;
  const module = await compile(source);
  // Whole or not at all: another build may read it meanwhile.
  await writeFile(`${target}.next`, `${stamp}export default '${Buffer.from(module).toString('base64')}';\n`);
  await rename(`${target}.next`, target);
  return true;
}

/** The WebAssembly module of an AssemblyScript source. Fails: AssemblyError. */
export async function compile(source: string): Promise<Uint8Array> {
  // Megabytes of compiler that a build without changes does not load.
  const { main } = await import('assemblyscript/asc');
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-assembly-'));
  try {
    await writeFile(join(folder, 'module.ts'), source);
    const { error, stderr } = await main([
      ...['module.ts', '--baseDir', folder, '--outFile', 'module.wasm'],
      ...OPTIONS,
    ]);
    if (error !== null) throw new AssemblyError(`${error.message}\n${stderr.toString()}`);
    return await readFile(join(folder, 'module.wasm'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
