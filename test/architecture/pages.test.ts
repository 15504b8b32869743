import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow } from './files-below.js';
import { fragmentsOf, withoutCode } from './page-fragments.js';

const root = join(import.meta.dirname, '../..');
const docs = join(root, 'docs');

interface Link {
  /** Absolute, without the fragment. */
  readonly file: string;
  readonly fragment: string | undefined;
}

/** The links of a page to files of the repository. */
function linksOf(page: string): Link[] {
  const targets = [
    ...withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g),
  ];
  return targets.map(([, target = '']) => {
    const [path = '', fragment] = target.split('#', 2);
    return { file: path === '' ? page : join(dirname(page), path), fragment };
  });
}

/** The pages to which links lead from the page, itself included. */
function reachableFrom(page: string, reached = new Set<string>()): ReadonlySet<string> {
  reached.add(page);
  for (const { file } of linksOf(page))
    if (file.endsWith('.md') && existsSync(file) && !reached.has(file)) reachableFrom(file, reached);
  return reached;
}

describe('the pages of docs', () => {
  const pages = filesBelow(docs, '.md');

  it('are all reached from the index', () => {
    const reached = reachableFrom(join(docs, 'index.md'));
    expect(pages.filter((page) => !reached.has(page)).map((page) => relative(root, page))).toEqual([]);
  });

  it('link to headings that are there', () => {
    const broken = [...pages, join(root, 'README.md'), join(root, 'docker/charts/tetrad/README.md')].flatMap(
      (page) =>
        linksOf(page)
          .filter(({ file, fragment }) => fragment !== undefined && file.endsWith('.md') && existsSync(file))
          .filter(({ file, fragment = '' }) => !fragmentsOf(file).has(fragment))
          .map(({ file, fragment }) => `${relative(root, page)}: ${relative(root, file)}#${fragment}`),
    );
    expect(broken).toEqual([]);
  });

  it.each(['tutorial', 'how-to', 'explanation'])('of %s are in the index itself', (kind) => {
    const listed = new Set(linksOf(join(docs, 'index.md')).map(({ file }) => file));
    const missing = filesBelow(join(docs, kind), '.md').filter((page) => !listed.has(page));
    expect(missing.map((page) => relative(root, page))).toEqual([]);
  });
});
