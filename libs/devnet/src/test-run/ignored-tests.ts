import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../paths.js';

/**
 * Jest's options that run every test file but this one. Jest's option replaces the list of its configuration, which is read for it.
 *
 * In: file — relative to the root of the repository
 */
export async function leavingOut(file: string): Promise<readonly string[]> {
  const url = pathToFileURL(join(ROOT, 'jest.config.mjs')).href;
  const { default: config } = (await import(url)) as {
    default: { testPathIgnorePatterns: readonly string[] };
  };
  return [...config.testPathIgnorePatterns, file].map((pattern) => `--testPathIgnorePatterns=${pattern}`);
}
