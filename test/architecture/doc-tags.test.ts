import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { docTags } from '../../lint/doc-tags.mjs';
import { literalSpreads } from '../../lint/literal-spreads.mjs';

const linter = new Linter();
const config = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser as Linter.Parser },
  plugins: { tetrad: { rules: { 'doc-tags': docTags, 'literal-spreads': literalSpreads } } },
  rules: { 'tetrad/doc-tags': 'error', 'tetrad/literal-spreads': 'error' },
} satisfies Linter.Config;

/** The findings in a text, as `line message`. */
function lint(text: string): readonly string[] {
  return linter
    .verify(text, [config], 'file.ts')
    .map(({ line, message }) => `${line} ${message.split(/: (?:use|there|write)/)[0]}`);
}

describe('the rule doc-tags', () => {
  it.each<[what: string, text: string, found: readonly string[]]>([
    ['a label', '/** Fails: Error */\nexport function f() {}\n', ['1 "Fails:"']],
    ['labels on lines', '/**\n * Adds.\n * In:  a — one\n * Out: sum\n */\n', ['3 "In:"', '4 "Out:"']],
    ['a parameter that is gone', '/** @param b - one */\nexport function f(a: number) {}\n', ['1 @param b']],
    [
      'one of a function that is not exported',
      '/** @param b - one */\nfunction f(a = 1) {}\n',
      ['1 @param b'],
    ],
    ['one of a method', 'class A {\n  /** @param b.c - one */\n  f(a: A) {}\n}\n', ['2 @param b']],
    [
      'one of a method of an interface',
      'interface A {\n  /** @param b */\n  f(a: A): void;\n}\n',
      ['2 @param b'],
    ],
  ])('reports %s', (_what, text, found) => {
    expect(lint(text)).toEqual(found);
  });

  it.each([
    '/** @param a.b - one\n * @returns two\n * @throws Error */\nexport function f(a: A) {}\n',
    '/** @param options.b - one */\nexport function f({ b }: A) {}\n',
    '/** @param rest - others */\nexport function f(...rest: A[]) {}\n',
    '/** @param a - one */\nexport abstract class A {\n  constructor(private readonly a: A) {}\n}\n',
    '// In: a comment that no editor shows\n',
    '/** What comes in: words. */\nexport const a = 1;\n',
  ])('accepts %j', (text) => {
    expect(lint(text)).toEqual([]);
  });
});

describe('the rule literal-spreads', () => {
  it.each([
    'export const a = { ...{ b: 1 }, c: 2 };\n',
    'export const a = [...[1, 2], 3];\n',
    'export const a = { ...{ ...b } };\n',
    'export const a = [...([1, 2] as const), 3];\n',
    'export const a = { ...({ b: 1 } satisfies object), c: 2 };\n',
    'f(...([1] as const), 2);\n',
    'new A(...[1]);\n',
  ])('reports %j', (text) => {
    expect(lint(text)).toEqual(['1 a spread of a literal']);
  });

  it.each([
    'export const a = { ...b };\n',
    'export const a = { ...(b ? { c: 1 } : {}) };\n',
    'f(...b.map(c));\n',
  ])('accepts %j', (text) => {
    expect(lint(text)).toEqual([]);
  });
});
