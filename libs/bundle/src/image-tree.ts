import { cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { PACKAGES_FILE, bundleFolder } from './bundle-service.js';
import { LEFT_OUT_OF_IMAGES } from './external-packages.js';
import { packageClosure } from './package-closure.js';
import { isForPlatform } from './platform-binaries.js';
import { ROOT, appFolder, dataOf, type Service } from './services.js';

const manifestSchema = z.looseObject({ name: z.string(), version: z.string() });

/**
 * Lays out the contents of a service's image in an empty folder: its bundle, the packages that the bundle imports,
 * its migrations, and a manifest with its version.
 *
 *     package.json  bundle/main.js …  node_modules/…  prisma/SERVICE/…  libs/… (what the build made for it)
 *
 * Fails: Error when the folder holds something already, or a package is not installed
 */
export async function layOutImage(service: Service, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  await cp(bundleFolder(service), join(folder, 'bundle'), { recursive: true });
  await cp(join(ROOT, 'prisma', service), join(folder, 'prisma', service), { recursive: true });
  for (const data of dataOf(service)) await cp(join(ROOT, data), join(folder, data), { recursive: true });
  await writeFile(join(folder, 'package.json'), await manifestOf(service));
  for (const source of await packagesOf(service))
    await cp(source, join(folder, relative(ROOT, source)), { recursive: true, filter: isNeeded(source) });
}

/**
 * A package's own files, without the binaries of other platforms than this one, where the image is made: what npm nested
 * below it is in the list by itself, if it is needed.
 */
function isNeeded(folder: string): (path: string) => boolean {
  return (path) => !relative(folder, path).startsWith('node_modules') && isForPlatform(folder, path, process);
}

async function packagesOf(service: Service): Promise<string[]> {
  const text = await readFile(join(bundleFolder(service), PACKAGES_FILE), 'utf8');
  const imported = z.array(z.string()).parse(JSON.parse(text));
  return packageClosure(
    imported.filter((name) => !LEFT_OUT_OF_IMAGES.includes(name)),
    appFolder(service),
  );
}

async function manifestOf(service: Service): Promise<string> {
  const text = await readFile(join(appFolder(service), 'package.json'), 'utf8');
  const { name, version } = manifestSchema.parse(JSON.parse(text));
  return `${JSON.stringify({ name, version, private: true, type: 'module' }, null, 2)}\n`;
}
