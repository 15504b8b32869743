import { readFileSync } from 'node:fs';

/**
 * Version of the package that a module in its `src` or `dist` belongs to.
 * @param moduleUrl - `import.meta.url` of it
 */
export function packageVersion(moduleUrl: string): string {
  const manifest = new URL('../package.json', moduleUrl);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown };
  if (typeof version !== 'string') throw new TypeError(`${manifest.pathname} has no version`);
  return version;
}
