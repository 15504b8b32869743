import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { z } from 'zod';
import { ROOT } from './services.js';
import { workspaceSources } from './workspace-sources.js';

const manifestSchema = z.looseObject({ browser: z.record(z.string(), z.string()).default({}) });

/** So that a path that was found is not asked for again. */
const FOUND = Symbol('found');

/**
 * Has esbuild make a bundle for browsers from the sources of this repository: with the files that a package names for browsers, and
 * without those of which nothing is used. No source does anything when it is imported, so none is kept for that.
 *
 * @returns the plugin
 */
export async function browserSources(): Promise<Plugin> {
  const entries = await workspaceSources();
  const replacements = await browserFiles([...new Set(Object.values(entries).map(packageOf))]);
  return {
    name: 'browser-sources',
    setup(build) {
      build.onResolve({ filter: /^(?:\.|@tetrad\/)/ }, async ({ path, pluginData, ...place }) => {
        if (pluginData === FOUND || place.importer.includes('/node_modules/')) return undefined;
        const wanted = entries[path] ?? path;
        const found = await build.resolve(wanted, { ...place, pluginData: FOUND });
        return { ...found, path: replacements.get(found.path) ?? found.path, sideEffects: false };
      });
    },
  };
}

/** The folder of the package that a source belongs to. */
function packageOf(source: string): string {
  let folder = dirname(source);
  while (!existsSync(join(folder, 'package.json')) && folder !== ROOT) folder = dirname(folder);
  return folder;
}

/** Source → the one that browsers get, by the field `browser` of packages, which names what the sources become. */
async function browserFiles(folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const folder of folders) {
    const { browser } = manifestSchema.parse(
      JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
    );
    for (const [from, to] of Object.entries(browser)) files.set(sourceOf(folder, from), sourceOf(folder, to));
  }
  return files;
}

const sourceOf = (folder: string, built: string): string =>
  join(folder, built.replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts'));
