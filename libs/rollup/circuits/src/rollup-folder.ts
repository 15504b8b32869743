import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A folder of what the build made, below the root of the repository or of an image: the nearest one above this module, which
 * is in `src`, in `dist` or part of a bundle.
 */
export function rollupFolder(library: 'circuits' | 'chain'): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'libs', 'rollup', library);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder)
      throw new Error(`there is no folder libs/rollup/${library} above ${import.meta.dirname}`);
  }
}
