import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { build } from 'esbuild';
import { containedPackages, writePackages } from './bundled-packages.js';
import { PAGE_FOLDER, ROOT, appFolder } from './services.js';

/** The sources of the page of the console. */
const PAGE = join(appFolder('console'), 'page');

/**
 * Bundles the page of the console: index.html, and assets whose names change with their content. Nothing is done when no source
 * is newer than the page.
 */
export async function bundlePage(): Promise<void> {
  const out = join(appFolder('console'), PAGE_FOLDER);
  if (await isCurrent(out)) return;
  const { outputFiles, metafile } = await build({
    entryPoints: [join(PAGE, 'src/main.tsx')],
    outdir: join(out, 'assets'),
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    absWorkingDir: ROOT,
    metafile: true,
    logLevel: 'warning',
  });
  await rm(out, { recursive: true, force: true });
  let html = await readFile(join(PAGE, 'index.html'), 'utf8');
  for (const { path, contents } of outputFiles) {
    const extension = path.endsWith('.css') ? 'css' : 'js';
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
    await write(join(out, `assets/main-${hash}.${extension}`), contents);
    html = html.replace(`main.${extension}`, `main-${hash}.${extension}`);
  }
  await write(join(out, 'icon.svg'), await readFile(join(PAGE, 'icon.svg')));
  await writePackages(out, { imported: [], contained: containedPackages(metafile) });
  // The last one: without it there is no page.
  await write(join(out, 'index.html'), html);
}

async function isCurrent(out: string): Promise<boolean> {
  const made = await timeOf(join(out, 'index.html'));
  const sources = await readdir(PAGE, { recursive: true });
  const own = sources.filter((name) => !name.startsWith('dist')).map((name) => join(PAGE, name));
  const times = await Promise.all([...own, join(ROOT, 'package-lock.json')].map(timeOf));
  return times.every((time) => time < made);
}

/** When a file was written, in ms; 0 when there is none. */
async function timeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Beside each file is what browsers get that read Brotli. */
async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content));
}
