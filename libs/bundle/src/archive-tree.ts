import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { BundledPackages } from './bundled-packages.js';
import { bundleFolder, packagesOfBundle } from './bundle-app.js';
import { containedIn } from './contained-in.js';
import { copyBundle, copyPackage } from './copy-parts.js';
import { packageClosure } from './package-closure.js';
import { sbomOf } from './sbom.js';
import { PROGRAMS, ROOT, SERVICES, appFolder, appFoldersOf, dataOf } from './services.js';

const manifestSchema = z.object({ name: z.string(), version: z.string() });

/** What only a build needs; the circuits and contracts of a release are built. */
const COMPILERS: readonly string[] = ['@noir-lang/noir_wasm', 'pg-native'];

/** What a service's `SERVICE` app consists of beside its bundle. */
const APP_FILES = ['package.json', 'CHANGELOG.md'] as const;

/**
 * Lays out a release for the platform of this process, in an empty folder: the launcher and all services as bundles, with the
 * packages they import, the embedded PostgreSQL, circuits, contracts, migrations and licences. Paths are those of the
 * repository, so that the programs find each other.
 * @returns its name: tetrad-VERSION-PLATFORM-ARCHITECTURE
 * @throws Error when the folder holds something already, or a package is not installed
 */
export async function layOutArchive(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  const programs = await layOutPrograms(folder);
  const imported = [...programs.imported, ...(await layOutServices(folder))];
  const names = [...new Set(imported)].filter((name) => !COMPILERS.includes(name));
  const packages = await packageClosure(names, join(ROOT, 'apps/cli'));
  for (const source of packages) await copyPackage(source, folder);
  await cp(join(ROOT, 'prisma'), join(folder, 'prisma'), { recursive: true });
  for (const name of ['LICENSE', 'NOTICE', 'README.md']) await cp(join(ROOT, name), join(folder, name));
  await cp(join(ROOT, 'libs/bundle/archive/tetrad'), join(folder, 'tetrad'));
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));
  await writeJson(join(folder, 'package.json'), { ...manifest, private: true, type: 'module' });
  const contained = programs.contained.map((name) => join(ROOT, name));
  for (const service of SERVICES) contained.push(...(await containedIn(service)));
  await writeJson(join(folder, 'sbom.json'), await sbomOf(manifest, [...packages, ...contained]));
  return `tetrad-${manifest.version}-${process.platform}-${process.arch}`;
}

/** @returns their packages */
async function layOutPrograms(folder: string): Promise<BundledPackages> {
  const imported: string[] = [];
  const contained: string[] = [];
  for (const program of PROGRAMS) {
    const app = join(folder, relative(ROOT, appFolder(program)));
    const packages = await packagesOfBundle(program);
    imported.push(...packages.imported);
    contained.push(...packages.contained);
    await copyBundle(bundleFolder(program), join(app, 'bundle'));
    await cp(join(appFolder(program), 'package.json'), join(app, 'package.json'));
  }
  return { imported, contained };
}

/** @returns names of the packages that they import */
async function layOutServices(folder: string): Promise<string[]> {
  const imported: string[] = [];
  for (const service of SERVICES) {
    const app = join(folder, relative(ROOT, appFolder(service)));
    await copyBundle(bundleFolder(service), join(app, 'bundle'));
    for (const name of APP_FILES) await cp(join(appFolder(service), name), join(app, name));
    for (const name of appFoldersOf(service))
      await cp(join(appFolder(service), name), join(app, name), { recursive: true });
    for (const data of dataOf(service))
      await cp(join(ROOT, data), join(folder, data), { recursive: true, force: true });
    imported.push(...(await packagesOfBundle(service)).imported);
  }
  return imported;
}

async function writeJson(path: string, value: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
