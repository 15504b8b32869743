import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow } from './files-below.js';

const root = join(import.meta.dirname, '../..');

/** A file that may name an export: its text and how often each word is in it. */
interface Source {
  readonly file: string;
  readonly text: string;
  readonly words: ReadonlyMap<string, number>;
}

const DECLARATION =
  /^export (?:abstract )?(?:async )?(?<kind>const|let|function\*?|class|enum|interface|type) (?<name>\w+)/gm;

/** Each library has a union of its errors, for the switches of its users (docs/adr/0003); with viem's name for it in the client. */
const ERROR_UNION = /^\w+Error(?:Type)?$/;

function sourceOf(file: string, text: string): Source {
  const words = new Map<string, number>();
  for (const [word] of text.matchAll(/\w+/g)) words.set(word, (words.get(word) ?? 0) + 1);
  return { file, text, words };
}

function sources(): Source[] {
  return ['apps', 'libs', 'test', 'bench']
    .flatMap((folder) =>
      ['.ts', '.tsx', '.mts', '.mjs'].flatMap((ending) => filesBelow(join(root, folder), ending)),
    )
    .map((file) => sourceOf(relative(root, file), readFileSync(file, 'utf8')));
}

/** Word → the files that have it, without indexes, which pass on what others declare. */
function filesByWord(all: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { file, words } of all.filter(({ file: name }) => basename(name) !== 'index.ts')) {
    for (const word of words.keys()) {
      const having = files.get(word);
      if (having === undefined) files.set(word, [file]);
      else having.push(file);
    }
  }
  return files;
}

/**
 * Exports that only their own file names. A type may be named there alone, in what else the file exports; a value may
 * not. Words in comments count, so this finds less than there is, and never what is used.
 */
function unusedExports(all: readonly Source[]): string[] {
  const files = filesByWord(all);
  return all
    .filter(({ file }) => file.includes('/src/') && !file.endsWith('.test.ts'))
    .flatMap(({ file, text, words }) =>
      [...text.matchAll(DECLARATION)].flatMap(({ groups: { kind = '', name = '' } = {} }) => {
        const isElsewhere = (files.get(name) ?? []).some((other) => other !== file);
        const isType = kind === 'interface' || kind === 'type';
        const isNamedHere = isType && ((words.get(name) ?? 0) > 1 || ERROR_UNION.test(name));
        return isElsewhere || isNamedHere ? [] : [`${file}: ${name}`];
      }),
    );
}

describe('exports', () => {
  it('are used by another file', () => {
    const all = sources();
    expect(all.length).toBeGreaterThan(1_000);
    expect(unusedExports(all)).toEqual([]);
  });

  it('are found when no other file uses them', () => {
    const declaring = sourceOf('libs/a/src/a.ts', 'export const used = 1;\nexport function unused() {}\n');
    const users = [
      sourceOf('libs/a/src/index.ts', "export { unused, used } from './a.js';\n"),
      sourceOf('libs/b/src/b.ts', "import { used } from '@tetrad/a';\n"),
    ];
    expect(unusedExports([declaring, ...users])).toEqual(['libs/a/src/a.ts: unused']);
  });
});
