import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

/** Version of the package that a module in its `src` or `dist` belongs to. In: moduleUrl — `import.meta.url` of it */
export function packageVersion(moduleUrl: string): string {
  const text = readFileSync(new URL('../package.json', moduleUrl), 'utf8');
  return manifest.parse(JSON.parse(text)).version;
}
