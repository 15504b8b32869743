import { join } from 'node:path';
import { packagesOfBundle } from './bundle-app.js';
import { readPackages } from './bundled-packages.js';
import { PAGE_FOLDER, ROOT, appFolder, appFoldersOf, type Service } from './services.js';

/** Folders of the packages whose code is in a service's bundle or page: its bill of materials has them too. */
export async function containedIn(service: Service): Promise<string[]> {
  const { contained } = await packagesOfBundle(service);
  const ofPage = appFoldersOf(service).includes(PAGE_FOLDER)
    ? (await readPackages(join(appFolder(service), PAGE_FOLDER))).contained
    : [];
  return [...new Set([...contained, ...ofPage])].map((name) => join(ROOT, name));
}
