import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { citationFaults, decisionList, readDecisions } from '@tetrad/reference';
import { format } from 'prettier';
import { filesBelow } from './files-below.js';

const root = join(import.meta.dirname, '../..');
const decisions = join(root, 'docs/adr');

/** Sources of a library above this many lines need a README (CONTRIBUTING.md). */
const MAX_LINES_WITHOUT_README = 1_500;

function sourceLines(library: string): number {
  const sources = filesBelow(join(library, 'src'), '.ts').filter((file) => !file.endsWith('.test.ts'));
  return sources.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
}

describe('the architecture decisions', () => {
  it('are listed, each with status and date', async () => {
    const expected = await format(decisionList(decisions), { parser: 'markdown', printWidth: 110 });
    expect(readFileSync(join(decisions, 'README.md'), 'utf8')).toBe(expected);
    expect(readDecisions(decisions).length).toBeGreaterThan(40);
  });

  it('exist wherever they are cited', () => {
    const numbers = new Set(readDecisions(decisions).map(({ number }) => number));
    expect(citationFaults(root, numbers)).toEqual([]);
  });

  it.each([
    ['no status', '0001-a.md', '# 1. A\n\n**Decision.** B\n', 'has no line "Status:'],
    ['a status without a date', '0001-a.md', '# 1. A\n\nStatus: accepted\n', 'has no line "Status:'],
    [
      'the number of another file',
      '0001-a.md',
      '# 2. A\n\nStatus: accepted, 2026-01-01\n',
      'does not begin with',
    ],
  ])('are refused with %s', (_case, file, text, problem) => {
    const folder = mkdtempSync(join(tmpdir(), 'tetrad-decisions-'));
    writeFileSync(join(folder, file), text);
    expect(() => readDecisions(folder)).toThrow(problem);
    rmSync(folder, { recursive: true });
  });
});

describe('the documents', () => {
  it('link to existing files', () => {
    const documents = [
      ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'SECURITY.md'].map((name) =>
        join(root, name),
      ),
      ...filesBelow(join(root, 'docs'), '.md'),
      ...filesBelow(join(root, 'libs'), 'README.md'),
    ];
    const broken = documents.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(dirname(file), target)))
        .map((target) => `${relative(root, file)}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('describe each large library in a README next to its source', () => {
    const libraries = filesBelow(join(root, 'libs'), 'package.json').map(dirname);
    const large = libraries.filter((library) => existsSync(join(library, 'src')));
    const without = large
      .filter((library) => sourceLines(library) > MAX_LINES_WITHOUT_README)
      .filter((library) => !existsSync(join(library, 'README.md')));
    expect(without.map((library) => relative(root, library))).toEqual([]);
  });
});
