import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { filesBelow } from './files-below.js';
import { fragmentsOf } from './page-fragments.js';

/** Sources whose comments name pages; page files link to each other, which is checked apart. */
const ENDINGS = ['.ts', '.tsx', '.mjs', '.prisma', '.sql', '.sol', '.nr', 'ORIGIN.md'];
const FOLDERS = ['apps', 'bench', 'libs', 'lint', 'prisma', 'test', 'tools'];

/** A line that is a comment, or has one at its end. */
const COMMENT = /(?:^\s*(?:\/\*|\*|\/\/|--|#)|\s\/\/ |\/\*).*$/;
const PAGE = /([\w./-]*\.md)((?:#[\w-]+)?(?:(?:, | and )#[\w-]+)*)/g;

/** A page of a text that does not exist, or a heading that it does not have. */
export interface NameFault {
  readonly name: string;
  readonly problem: string;
}

/**
 * Where a text names a page of the repository that is not there.
 * @param pages - paths from the root
 * @param fragments - of a page's headings
 */
export function nameFaults(
  text: string,
  pages: ReadonlySet<string>,
  fragments: (page: string) => ReadonlySet<string>,
): NameFault[] {
  const names = new Set([...pages].map((page) => basename(page)));
  return [...text.matchAll(PAGE)].flatMap(([, name = '', anchors = '']) => {
    // A page of another site.
    if (name.startsWith('//')) return [];
    if (!name.startsWith('docs/'))
      return names.has(basename(name)) ? [] : [{ name, problem: 'no such page' }];
    if (!pages.has(name)) return [{ name, problem: 'no such page' }];
    const wanted = anchors.match(/#[\w-]+/g) ?? [];
    return wanted
      .filter((anchor) => !fragments(name).has(anchor.slice(1)))
      .map((anchor) => ({ name: name + anchor, problem: 'no such heading' }));
  });
}

/**
 * Faults in the comments of all sources.
 * @returns a line for each: file, name, problem
 */
export function faultsOfSources(root: string): string[] {
  const pages = new Set(
    ['apps', 'docs', 'docker', 'libs', 'bench', 'test']
      .flatMap((folder) => filesBelow(join(root, folder), '.md'))
      .map((file) => relative(root, file))
      .concat([
        'README.md',
        'ARCHITECTURE.md',
        'CONTRIBUTING.md',
        'GLOSSARY.md',
        'SECURITY.md',
        'CHANGELOG.md',
      ]),
  );
  const fragments = (page: string) => fragmentsOf(join(root, page));
  const files = FOLDERS.flatMap((folder) =>
    ENDINGS.flatMap((ending) => filesBelow(join(root, folder), ending)),
  );
  return files.flatMap((file) => {
    const isPage = file.endsWith('.md');
    const comments = readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (isPage ? [line] : (COMMENT.exec(line) ?? [])));
    return comments
      .filter((comment) => comment.includes('.md'))
      .flatMap((comment) => nameFaults(comment, pages, fragments))
      .map(({ name, problem }) => `${relative(root, file)}: ${name}: ${problem}`);
  });
}
