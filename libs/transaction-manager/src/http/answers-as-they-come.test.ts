import { expect, it } from '@jest/globals';
import { AnswersAsTheyCome } from './answers-as-they-come.js';

it('gives texts as they come about, without those that are still to come', async () => {
  let finish: (text: string) => void = () => undefined;
  const late = new Promise<string>((done) => (finish = done));
  const answers = new AnswersAsTheyCome([late, Promise.resolve('a'), Promise.resolve('b')]);
  expect([await answers.next(), answers.isOver]).toEqual(['ab', false]);
  const rest: string[] = [];
  const read = (async () => {
    for await (const piece of answers) rest.push(piece);
  })();
  finish('c');
  await read;
  expect([rest, answers.isOver]).toEqual([['c'], true]);
});
