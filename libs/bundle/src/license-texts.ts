import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from './services.js';

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().default('not stated'),
});

/**
 * The licenses of packages, which go with their code.
 *
 * @param folders - of the packages, from the root
 * @returns name, version, license and text of each; packages without a file say their license in the manifest alone
 */
export async function licenseTexts(folders: readonly string[]): Promise<string> {
  const texts = await Promise.all(folders.map((folder) => licenseText(join(ROOT, folder))));
  return texts.join('\n');
}

async function licenseText(folder: string): Promise<string> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const files = (await readdir(folder)).filter((name) => /^licen[sc]e/i.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return [`${manifest.name} ${manifest.version} (${manifest.license})\n`, ...texts].join('\n');
}
