import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const DERIVED = ['node_modules', 'dist', 'bundle', 'generated'];

/** Paths of the files in and below a folder whose names end so, without installed or generated ones. */
export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return DERIVED.includes(entry.name) ? [] : filesBelow(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}
