import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

/** Paths that a line of CODEOWNERS gives to a team, but for the one that is for everything. */
const owned = readFileSync(join(root, 'CODEOWNERS'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('/'))
  .map((line) => {
    const [path = '', ...owners] = line.split(/\s+/);
    return { path, owners };
  });

/** Groups of libraries are owned as one. */
const FOLDERS = ['apps', 'libs', 'libs/api', 'prisma', 'docker'];

const foldersIn = (parent: string) =>
  readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => `/${parent}/${name}/`);

describe('CODEOWNERS', () => {
  it('names a team for every app, library, schema and image', () => {
    const unowned = FOLDERS.flatMap(foldersIn)
      .filter((folder) => folder !== '/libs/api/')
      .filter((folder) => !owned.some(({ path }) => path === folder));
    expect(unowned).toEqual([]);
  });

  it('names one team a path, and paths that exist', () => {
    for (const { path, owners } of owned) {
      expect({ path, owners }).toEqual({ path, owners: [expect.stringMatching(/^@tetrad\/[a-z]+$/)] });
      expect({ path, exists: existsSync(join(root, path)) }).toEqual({ path, exists: true });
    }
  });
});
