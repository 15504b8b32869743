import { expect, it } from '@jest/globals';
import { AnswerLines } from './answer-lines.js';

it('gives the lines of an answer whatever pieces it comes in', () => {
  const taken: string[] = [];
  const lines = new AnswerLines((line) => taken.push(line.toString()));
  for (const piece of ['on', 'e\ntwo\n', '\nthr', 'e', 'e\nrest']) lines.add(Buffer.from(piece));
  expect(taken).toEqual(['one', 'two', '', 'three']);
});

it('refuses lines without end', () => {
  const lines = new AnswerLines(() => undefined);
  const piece = Buffer.alloc(100 * 1_024, 'x');
  lines.add(piece);
  expect(() => lines.add(piece)).toThrow('a line of the answer exceeds 131072 bytes');
  expect(() => new AnswerLines(() => undefined).add(Buffer.alloc(132_000, 'x'))).toThrow(RangeError);
});
