import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const LEFT_OUT = new Set(['node_modules', 'dist', 'bundle', 'generated', 'artifacts', 'test']);

/**
 * The TypeScript sources of apps and libraries, without tests, sorted.
 * @returns paths from the root of the repository
 */
export function sourceFiles(root: string): readonly string[] {
  return ['apps', 'libs']
    .flatMap((folder) => filesIn(join(root, folder)))
    .map((file) => relative(root, file));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : filesIn(path);
      return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
    });
}
