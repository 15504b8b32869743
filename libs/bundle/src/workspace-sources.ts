import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EXTERNAL_PACKAGES } from './external-packages.js';
import { ROOT } from './services.js';

const manifestSchema = z.looseObject({
  name: z.string(),
  workspaces: z.array(z.string()).optional(),
  exports: z.record(z.string(), z.looseObject({ types: z.string().optional() })).default({}),
});

type Manifest = z.infer<typeof manifestSchema>;

/** The entry files of every package of this repository that bundles hold, by what is imported, so that they are made from the sources. */
export async function workspaceSources(): Promise<Record<string, string>> {
  const { workspaces = [] } = await readManifest(ROOT);
  const sources: Record<string, string> = {};
  for (const pattern of workspaces) {
    for (const folder of await expand(pattern)) {
      const manifest = await readManifest(folder);
      if (!isExternal(manifest.name)) Object.assign(sources, entriesOf(folder, manifest));
    }
  }
  return sources;
}

/** By what is imported: the package, and `package/part` of each part that it exports by itself. */
function entriesOf(folder: string, { name, exports }: Manifest): Record<string, string> {
  const index = join(folder, 'src/index.ts');
  const entries: Record<string, string> = existsSync(index) ? { [name]: index } : {};
  for (const [part, { types }] of Object.entries(exports))
    if (part !== '.' && types?.endsWith('.ts') === true) entries[join(name, part)] = join(folder, types);
  return entries;
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

async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
}
