import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { browserSources } from './browser-sources.js';
import { containedPackages } from './bundled-packages.js';
import { licenseTexts } from './license-texts.js';
import { ROOT } from './services.js';

/** The client of a holder of a rollup, and its entry for browsers. */
const SOURCES = join(ROOT, 'libs/rollup/client/src');
const ENTRY = join(SOURCES, 'web/index.ts');

/**
 * Lays out the part of the client's package for holders of a rollup: one module that imports nothing, since it has code of many
 * packages of this repository; its declarations, which name none of them; and the licenses of what it contains.
 *
 * @param folder - where to
 * @throws Error for code that imports a module, or declarations that name a package
 */
export async function layOutClientRollup(folder: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [ENTRY],
    outfile: join(folder, 'index.js'),
    absWorkingDir: ROOT,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    // Of sources that are not needed; `assertAlone` finds those that are.
    external: ['node:*'],
    target: 'es2022',
    charset: 'utf8',
    metafile: true,
    plugins: [await browserSources(), ENGLISH],
    logLevel: 'warning',
  });
  assertAlone(metafile);
  await writeDeclarations(folder);
  await writeFile(join(folder, 'LICENSES.txt'), await licenseTexts(containedPackages(metafile)));
}

function assertAlone({ inputs, outputs }: Metafile): void {
  const [output] = Object.values(outputs);
  if (output?.imports.length === 0) return;
  const importing = Object.keys(output?.inputs ?? {}).filter((path) =>
    inputs[path]?.imports.some(({ path: name, external }) => external === true && name.startsWith('node:')),
  );
  throw new Error(`the client for holders of a rollup imports modules of Node.js: ${importing.join(', ')}`);
}

/** Leaves out how Zod says in other languages what is wrong: nothing here asks for them, and they are a quarter of the code. */
const ENGLISH = {
  name: 'english',
  setup: (build) =>
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    })),
} satisfies Plugin;

/** Those that the entry needs, in folders as the sources are. */
async function writeDeclarations(folder: string): Promise<void> {
  const all = await mkdtemp(join(tmpdir(), 'tetrad-declarations-'));
  try {
    const web = join(compileDeclarations(all), 'web/index.d.ts');
    const root = dirname(dirname(web));
    for (const file of await reachedFrom(web)) {
      const target = join(folder, relative(root, file));
      await mkdir(dirname(target), { recursive: true });
      await cp(file, target);
    }
  } finally {
    await rm(all, { recursive: true, force: true });
  }
}

/** @returns folder of the declarations that belong to `SOURCES` */
function compileDeclarations(out: string): string {
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const project = join(ROOT, 'libs/rollup/client/tsconfig.web.json');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', out], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the declarations for holders of a rollup cannot be written: ${stdout}`);
  return join(out, relative(ROOT, SOURCES));
}

/** The file and those that it leads to. */
async function reachedFrom(first: string): Promise<ReadonlySet<string>> {
  const reached = new Set([first]);
  for (const file of reached) {
    const text = await readFile(file, 'utf8');
    for (const name of importedBy(text)) {
      if (!name.startsWith('.')) throw new Error(`${relative(dirname(dirname(first)), file)} names ${name}`);
      reached.add(join(dirname(file), name.replace(/\.js$/, '.d.ts')));
    }
  }
  return reached;
}

/** What a file of declarations imports: what is quoted behind `from` or `import(`. */
function importedBy(text: string): string[] {
  const pieces = text.split(/["']/);
  return pieces.filter((_, at) => /(?:from |import\()$/.test(pieces[at - 1] ?? ''));
}
