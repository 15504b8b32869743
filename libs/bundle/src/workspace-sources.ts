import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EXTERNAL_PACKAGES } from './external-packages.js';
import { ROOT } from './services.js';

const manifestSchema = z.looseObject({ name: z.string(), workspaces: z.array(z.string()).optional() });

/** The entry file of every package of this repository that bundles hold, by package name, so that they are made from the sources. */
export async function workspaceSources(): Promise<Record<string, string>> {
  const { workspaces = [] } = await readManifest(ROOT);
  const sources: Record<string, string> = {};
  for (const pattern of workspaces) {
    for (const folder of await expand(pattern)) {
      const entry = join(folder, 'src/index.ts');
      const { name } = await readManifest(folder);
      if (existsSync(entry) && !isExternal(name)) sources[name] = entry;
    }
  }
  return sources;
}

function isExternal(name: string): boolean {
  return EXTERNAL_PACKAGES.some((external) => external === name);
}

/** The folders with a package that a pattern of the form `libs/*` or `bench` names. */
async function expand(pattern: string): Promise<string[]> {
  const isList = pattern.endsWith('/*');
  const base = join(ROOT, isList ? pattern.slice(0, -2) : pattern);
  const folders = isList ? (await readdir(base)).map((name) => join(base, name)) : [base];
  return folders.filter((folder) => existsSync(join(folder, 'package.json')));
}

async function readManifest(folder: string): Promise<z.infer<typeof manifestSchema>> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
}
