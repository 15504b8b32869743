import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleFolder, packagesOfBundle } from './bundle-app.js';
import { containedIn } from './contained-in.js';
import { copyBundle, copyPackage } from './copy-parts.js';
import { LEFT_OUT_OF_IMAGES } from './external-packages.js';
import { packageClosure } from './package-closure.js';
import { sbomOf } from './sbom.js';
import { manifestOf } from './service-manifest.js';
import { ROOT, SERVICES, appFolder, appFoldersOf, dataOf, keepsState, type Service } from './services.js';

const HEALTH_CHECK = join(ROOT, 'libs/bundle/livez.pl');
const DEBIAN_PACKAGES = join(ROOT, 'libs/bundle/debian-packages.mjs');

/**
 * Lays out what the image of a service holds, in an empty folder: its bundle, the packages that the bundle imports,
 * its migrations or its page, its health check, a manifest with its version, its bill of materials, its changelog and its licence.
 *
 *     package.json  sbom.json  CHANGELOG.md  LICENSE  NOTICE  livez.pl  debian-packages.mjs  bundle/main.js …  node_modules/…
 *     prisma/SERVICE/… (with a database)  page/dist/… (of the console)  libs/… (what the build made for it)
 *
 * @throws Error when the folder holds something already, or a package is not installed
 */
export async function layOutImage(service: Service, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  await copyBundle(bundleFolder(service), join(folder, 'bundle'));
  if (keepsState(service))
    await cp(join(ROOT, 'prisma', service), join(folder, 'prisma', service), { recursive: true });
  for (const name of appFoldersOf(service))
    await cp(join(appFolder(service), name), join(folder, name), { recursive: true });
  for (const data of dataOf(service)) await cp(join(ROOT, data), join(folder, data), { recursive: true });
  const manifest = await manifestOf(service);
  const packages = await packagesOf(service);
  await writeJson(join(folder, 'package.json'), { ...manifest, private: true, type: 'module' });
  await writeJson(
    join(folder, 'sbom.json'),
    await sbomOf(manifest, [...packages, ...(await containedIn(service))]),
  );
  await cp(join(appFolder(service), 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
  for (const name of ['LICENSE', 'NOTICE']) await cp(join(ROOT, name), join(folder, name));
  await cp(HEALTH_CHECK, join(folder, 'livez.pl'));
  await cp(DEBIAN_PACKAGES, join(folder, 'debian-packages.mjs'));
  for (const source of packages) await copyPackage(source, folder);
}

/**
 * Lays out the images of all services, and an empty folder for what a service keeps, in an empty folder.
 *
 *     SERVICE/…  data/
 */
export async function layOutImages(folder: string): Promise<void> {
  for (const service of SERVICES) await layOutImage(service, join(folder, service));
  await mkdir(join(folder, 'data'));
}

async function packagesOf(service: Service): Promise<string[]> {
  const { imported } = await packagesOfBundle(service);
  return packageClosure(
    imported.filter((name) => !LEFT_OUT_OF_IMAGES.includes(name)),
    appFolder(service),
  );
}

async function writeJson(path: string, value: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
