import { describe, expect, it } from '@jest/globals';
import { LookupGroup } from './lookup-group.js';

interface Row {
  readonly key: Buffer;
  readonly value: number;
}

const key = (n: number) => Uint8Array.of(n, 0xff);
const row = (n: number): Row => ({ key: Buffer.from(key(n)), value: n });

/** A group whose statements are answered, or failed, by the test. */
function groupOf(statements = 2, start: (run: () => void) => void = queueMicrotask) {
  const reads: { keys: number[]; done: (rows: readonly Row[]) => void; fail: (error: Error) => void }[] = [];
  const group = new LookupGroup<Row>({
    statements,
    start,
    read: (keys) =>
      new Promise((done, fail) => reads.push({ keys: keys.map(([first]) => first ?? -1), done, fail })),
    keyOf: (found) => found.key,
  });
  return { group, reads };
}
const turn = () => new Promise((done) => setImmediate(done));

describe('a group of look-ups', () => {
  it('reads keys that were requested together in one statement, and each row once', async () => {
    const { group, reads } = groupOf();
    const asked = [1, 2, 1, 3].map((n) => group.find(key(n)));
    await turn();
    expect(reads.map(({ keys }) => keys)).toEqual([[1, 2, 3]]);
    reads[0]?.done([row(3), row(1)]);
    expect((await Promise.all(asked)).map((found) => found?.value)).toEqual([1, undefined, 1, 3]);
  });

  it('gathers requests while all statements are running', async () => {
    const { group, reads } = groupOf(1);
    const first = group.find(key(1));
    await turn();
    const later = [group.find(key(2)), group.find(key(3))];
    await turn();
    expect(reads).toHaveLength(1);
    reads[0]?.done([row(1)]);
    await turn();
    expect(reads[1]?.keys).toEqual([2, 3]);
    reads[1]?.done([row(2), row(3)]);
    expect(await Promise.all([first, ...later])).toMatchObject([{ value: 1 }, { value: 2 }, { value: 3 }]);
  });

  it('fails look-ups with the error of their statement, and continues', async () => {
    const { group, reads } = groupOf(1, setImmediate);
    const asked = Promise.allSettled([group.find(key(1)), group.find(key(1))]);
    await turn();
    reads[0]?.fail(new Error('gone'));
    expect(await asked).toMatchObject([{ reason: { message: 'gone' } }, { reason: { message: 'gone' } }]);
    const again = group.find(key(1));
    await turn();
    await turn();
    reads[1]?.done([row(1)]);
    expect(await again).toMatchObject({ value: 1 });
  });
});
