import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { plainWords } from '../../lint/plain-words.mjs';

const linter = new Linter();
const config = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser as Linter.Parser },
  plugins: { tetrad: { rules: { 'plain-words': plainWords } } },
  rules: { 'tetrad/plain-words': 'error' },
} satisfies Linter.Config;

/** The findings in a text, as `line:column found`. */
function lint(text: string): readonly string[] {
  return linter
    .verify(text, [config], 'file.ts')
    .map(({ line, column, message }) => `${line}:${column} ${message.split(':')[0]}`);
}

describe('the rule plain-words', () => {
  it.each<[what: string, text: string, found: readonly string[]]>([
    ['a line comment', '// Nobody reads it.\n', ['1:4 "Nobody"']],
    ['a block comment', '/** For somebody else. */\nexport {};\n', ['1:9 "somebody"']],
    ['words on two lines of a comment', '/**\n * What a peer is\n * told of.\n */\n', ['2:16 "is told"']],
    ['a string', "export const text = 'whoever comes';\n", ['1:22 "whoever"']],
    ['the title of a test', "it('hands out nonces', run);\n", ['1:5 "hands out"']],
    ['a template', 'export const text = `${1} stands in ${2} twice`;\n', ['1:27 "stands in"']],
    ['a word in a name', 'export const isJudged = 1;\n', ['1:14 "isJudged"']],
    ['the path of an import', "import './status-diary.js';\n", ['1:18 "diary"']],
    ['a class', 'export class ValidatorDiary {}\n', ['1:14 "ValidatorDiary"']],
    ['an upper-case name', 'export const KNOCK_LIMIT = 1;\n', ['1:14 "KNOCK_LIMIT"']],
    ['a private field', 'export class A { #isTold = 1; }\n', ['1:18 "isTold"']],
    ['a type', 'export interface Nobody {}\n', ['1:18 "Nobody"']],
    ['an imported name, once', "import { everybody } from './a.js';\n", ['1:10 "everybody"']],
    ['several words of a line', '// Anybody knocks.\n', ['1:4 "Anybody"', '1:12 "knocks"']],
    [
      'other forms',
      '// are told, stands at, stands twice, hands on, knocked\n',
      ['1:4 "are told"', '1:14 "stands at"', '1:25 "stands twice"', '1:39 "hands on"', '1:49 "knocked"'],
    ],
  ])('reports %s', (_what, text, found) => {
    expect(lint(text)).toEqual(found);
  });

  it.each([
    '// The pool is notified; what a caller told us stands for itself.\n',
    "export const bodies = ['body', 'antibody', 'handsome', 'standsInside'];\n",
    'export const somebodys = 1;\n',
    'export const regexp = /nobody/;\n',
    "// eslint-disable-next-line tetrad/plain-words -- the system's account\nexport const account = 'nobody';\n",
  ])('accepts %j', (text) => {
    expect(lint(text)).toEqual([]);
  });
});
