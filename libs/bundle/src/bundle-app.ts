import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { containedPackages, readPackages, writePackages, type BundledPackages } from './bundled-packages.js';
import { EXTERNAL_PACKAGES } from './external-packages.js';
import { ROOT, appFolder, entriesOf, type App } from './services.js';
import { workspaceSources } from './workspace-sources.js';

/** The `require` of CommonJS packages, which a bundle of ES modules does not define by itself. */
const REQUIRE = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);`;

/** The folder of an app's bundle. */
export function bundleFolder(app: App): string {
  return join(appFolder(app), 'bundle');
}

/**
 * Bundles an app into one flat folder with source maps, and names its packages.
 *
 * A program then loads in a third of the time: it is a dozen files and not a thousand. Modules that are loaded late stay
 * separate files. The folder is replaced atomically, so that a program which starts meanwhile finds all or nothing.
 */
export async function bundleApp(app: App): Promise<void> {
  const folder = bundleFolder(app);
  const next = `${folder}.next`;
  await rm(next, { recursive: true, force: true });
  const packages = await bundleEntries(entriesOf(app), next);
  await mkdir(next, { recursive: true });
  await writePackages(next, packages);
  await rm(folder, { recursive: true, force: true });
  await rename(next, folder);
}

/** The packages of an app's bundle. */
export function packagesOfBundle(app: App): Promise<BundledPackages> {
  return readPackages(bundleFolder(app));
}

/** Packages in place of modules of Node.js that warn when they are loaded, which libraries for older versions import. */
const BUILTIN_PACKAGES = { punycode: 'punycode/' };

/**
 * Bundles programs into one flat folder.
 * @param programs - by the name of their file, as sources from the root
 * @returns their packages
 */
async function bundleEntries(
  programs: Readonly<Record<string, string>>,
  outdir: string,
): Promise<BundledPackages> {
  const { metafile } = await build({
    entryPoints: Object.entries(programs).map(([out, source]) => ({ in: join(ROOT, source), out })),
    outdir,
    absWorkingDir: ROOT,
    alias: { ...(await workspaceSources()), ...BUILTIN_PACKAGES },
    external: EXTERNAL_PACKAGES.flatMap((name) => [name, `${name}/*`]),
    banner: { js: REQUIRE },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  return { imported: importedPackages(metafile), contained: containedPackages(metafile) };
}

/** Packages that stayed external, found in the imports of the bundle. */
function importedPackages({ outputs }: Metafile): string[] {
  const specifiers = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external === true).map(({ path }) => path),
  );
  const isImported = (name: string) =>
    specifiers.some((path) => path === name || path.startsWith(`${name}/`));
  return EXTERNAL_PACKAGES.filter(isImported);
}
