import { expect, it } from '@jest/globals';
import type { LookedUp } from './answers.js';
import { unknown, type Outcome } from './outcome.js';
import { PayloadLookups } from './payload-lookups.js';

const hash = (index: number) => new Uint8Array(Buffer.from(String(index).padStart(64, '0')));
const numberOf = (bytes: Uint8Array) => Number(Buffer.from(bytes).toString());
const turn = () => new Promise((done) => setImmediate(done));
const absent = (bytes: Uint8Array): LookedUp => ({ hash: bytes, outcome: { kind: 'not-found' } });

/** A manager that answers when the test calls `answer`. */
class Held {
  readonly asked: number[][] = [];
  private readonly waiting: ((outcome: Outcome<readonly LookedUp[]>) => void)[] = [];
  readonly lookups = new PayloadLookups((hashes) => {
    this.asked.push(hashes.map(numberOf));
    return new Promise((done) => this.waiting.push(done));
  });

  answer(value: readonly LookedUp[]): void {
    this.waiting.shift()?.({ kind: 'done', value });
  }

  fail(outcome: Outcome<readonly LookedUp[]>): void {
    this.waiting.shift()?.(outcome);
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

it('sends what is asked for together in one request of at most 64, and two requests at a time', async () => {
  const held = new Held();
  const found = range(0, 200).map((index) => held.lookups.find(hash(index)));
  await turn();
  await turn();
  expect(held.asked).toEqual([range(0, 64), range(64, 128)]);
  held.answer(range(0, 64).map((index) => absent(hash(index))));
  await Promise.all(found.slice(0, 64));
  await turn();
  expect(held.asked.slice(2)).toEqual([range(128, 192)]);
  held.answer(range(64, 128).map((index) => absent(hash(index))));
  await turn();
  held.answer(range(128, 192).map((index) => absent(hash(index))));
  await turn();
  await turn();
  held.answer(range(192, 200).map((index) => absent(hash(index))));
  expect(new Set((await Promise.all(found)).map((one) => one?.kind))).toEqual(new Set(['not-found']));
});

it('asks once for a payload that several callers want', async () => {
  const held = new Held();
  const found = [held.lookups.find(hash(1)), held.lookups.find(hash(1))];
  await turn();
  expect(held.asked).toEqual([[1]]);
  held.answer([absent(hash(1))]);
  expect(await Promise.all(found)).toEqual([{ kind: 'not-found' }, { kind: 'not-found' }]);
});

it('asks again for what an answer leaves out, and ignores what was not asked for and what is said twice', async () => {
  const held = new Held();
  const found = [1, 2, 3].map((index) => held.lookups.find(hash(index)));
  await turn();
  const [first, refusal] = [absent(hash(2)), { hash: hash(2), outcome: unknown('no') }];
  held.answer([absent(hash(9)), first, refusal]);
  expect(await found[1]).toEqual({ kind: 'not-found' });
  await turn();
  expect(held.asked).toEqual([
    [1, 2, 3],
    [1, 3],
  ]);
  held.answer([absent(hash(3)), absent(hash(1))]);
  expect(await Promise.all(found)).toEqual(found.map(() => ({ kind: 'not-found' })));
});

it('knows nothing of payloads after an answer that has none of them', async () => {
  const held = new Held();
  const found = held.lookups.find(hash(1));
  await turn();
  held.answer([absent(hash(9))]);
  expect(await found).toEqual(unknown('the answer has none of the payloads'));
  await turn();
  expect(held.asked).toHaveLength(1);
});

it('knows nothing after a failure, and leaves payloads to single requests after a refusal', async () => {
  const held = new Held();
  const failed = held.lookups.find(hash(1));
  await turn();
  held.fail(unknown('timeout'));
  expect(await failed).toEqual(unknown('timeout'));
  const refused = held.lookups.find(hash(1));
  await turn();
  held.fail({ kind: 'refused', status: 404, text: 'HTTP 404 Not Found' });
  expect(await refused).toBeUndefined();
});
