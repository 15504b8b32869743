import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { layOutClientRollup } from './client-rollup.js';
import { ROOT } from './services.js';

const CLIENT = join(ROOT, 'libs/client');

/** In the package alone: its sources are in libs/rollup/client. */
const ROLLUP_EXPORT = {
  './rollup': { types: './dist/rollup/web/index.d.ts', default: './dist/rollup/index.js' },
};

/** What `package.json` of the client says in the repository, as far as the package has it. */
interface ClientManifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/**
 * Lays out the npm package of the TypeScript client: ESM with declarations, a module for each source, so that bundlers take
 * what is used.
 *
 * @param folder - where to; what is there is removed
 */
export async function layOutClientPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await layOutModules(CLIENT, join(folder, 'dist'));
  await layOutClientRollup(join(folder, 'dist/rollup'));
  const manifest = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8')) as ClientManifest;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published(manifest), undefined, 2)}\n`);
  await cp(join(CLIENT, 'README.md'), join(folder, 'README.md'));
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

/**
 * Writes a module and its declarations for each source of a package.
 *
 * @param source - folder of the package
 * @param out - where to
 * @throws Error for sources that do not compile
 */
export async function layOutModules(source: string, out: string): Promise<void> {
  const sources = await readdir(join(source, 'src'), { recursive: true });
  await build({
    entryPoints: sources
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(source, 'src', name)),
    outdir: out,
    outbase: join(source, 'src'),
    absWorkingDir: ROOT,
    bundle: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
    tsconfigRaw: { compilerOptions: { target: 'ES2022', verbatimModuleSyntax: true } },
  });
  writeDeclarations(source, out);
}

function writeDeclarations(source: string, out: string): void {
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, '-p', join(source, 'tsconfig.json'), '--outDir', out],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the declarations of ${source} cannot be written: ${stdout}`);
}

function published({ exports, ...manifest }: ClientManifest): object {
  const { version, description, license, peerDependencies, peerDependenciesMeta } = manifest;
  return {
    name: '@tetrad/client',
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      ...Object.fromEntries(
        Object.entries(exports).map(([path, { default: code }]) => [
          path,
          { types: code.replace(/\.js$/, '.d.ts'), default: code },
        ]),
      ),
      ...ROLLUP_EXPORT,
    },
    files: ['dist'],
    peerDependencies,
    peerDependenciesMeta,
  };
}
