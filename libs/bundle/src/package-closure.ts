import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const dependenciesSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * The folders of packages and of all their dependencies, as npm has installed them.
 * @param from - a folder in or below the one whose `node_modules` holds them
 * @throws Error that names a package which is needed and not installed; optional ones may be missing
 */
export async function packageClosure(names: readonly string[], from: string): Promise<string[]> {
  const found = new Set<string>();
  const waiting = names.map((name) => ({ name, from, isOptional: false }));
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const folder = findPackage(one.name, one.from);
    if (folder === undefined) {
      if (one.isOptional) continue;
      throw new Error(`${one.name} is not installed`);
    }
    if (found.has(folder)) continue;
    found.add(folder);
    const manifest = dependenciesSchema.parse(
      JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
    );
    const optional = Object.keys(manifest.optionalDependencies);
    for (const name of Object.keys(manifest.dependencies))
      waiting.push({ name, from: folder, isOptional: optional.includes(name) });
    for (const name of optional) waiting.push({ name, from: folder, isOptional: true });
  }
  return [...found].sort();
}

/** Searches as Node does: in the `node_modules` of the folder and of its parents. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}
