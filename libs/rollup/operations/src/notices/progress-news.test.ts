import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountProgress, ProgressMarks, ProgressQuery } from '@tetrad/rollup-store';
import { ProgressNews } from './progress-news.js';

const START: ProgressMarks = { version: 1, accepted: 0, provenHeight: 0, finalHeight: 0 };

let marks: ProgressMarks;
/** Account → executed, proved and final nonce, and operations that are pending. */
let progress: Map<number, readonly [number, number, number, number]>;
/** Total indexes of the latest credits that are executed, proved and final. */
let credited: readonly (number | undefined)[];
let queries: ProgressQuery[];
let looks: number;
let news: ProgressNews;
let heard: unknown[];

beforeEach(() => {
  marks = START;
  progress = new Map([
    [1, [3, 3, 3, 0]],
    [2, [0, 0, 0, 0]],
  ]);
  [queries, looks, heard, credited] = [[], 0, [], []];
  news = new ProgressNews({
    readProgressMarks: async () => {
      looks += 1;
      return marks;
    },
    findChangedProgress: async (query) => {
      queries.push(query);
      return query.certain.map(progressOf);
    },
  });
});

function progressOf(accountId: number): AccountProgress {
  const [executedNonce, provedNonce, finalNonce, pendingOperations] = progress.get(accountId) ?? [0, 0, 0, 0];
  const credits = { executedCredit: credited[0], provedCredit: credited[1], finalCredit: credited[2] };
  return { accountId, executedNonce, provedNonce, finalNonce, pendingOperations, ...credits };
}
const change = (accountId: number, ...values: readonly [number, number, number, number]) => {
  progress.set(accountId, values);
  marks = { ...marks, version: marks.version + 1 };
};
const listen = (accountId: number, name = 'a') =>
  news.onProgress(accountId, ({ executedNonce, provedNonce, finalNonce, pendingOperations }) =>
    heard.push([name, executedNonce, provedNonce, finalNonce, pendingOperations]),
  );

describe('the progress of an account', () => {
  it('is read of no one without listeners', async () => {
    const stop = listen(1);
    stop();
    await news.step();
    expect(looks).toBe(0);
  });

  it('is announced as it is first, then when it changes, and once', async () => {
    listen(1);
    await news.step();
    await news.step();
    change(1, 3, 3, 3, 1);
    // The account was settled: that it has an operation is found by the number of that.
    listen(2, 'b');
    await news.step();
    await news.step();
    expect(heard).toEqual([
      ['a', 3, 3, 3, 0],
      ['b', 0, 0, 0, 0],
    ]);
    expect(queries.map(({ certain }) => certain)).toEqual([[1], [2]]);
    expect(queries[1]).toMatchObject({ watched: [1, 2], since: START, marks });
  });

  it('is announced when something is credited, and looked at until the credit is final', async () => {
    const told: unknown[] = [];
    news.onProgress(1, ({ executedCredit, provedCredit, finalCredit }) =>
      told.push([executedCredit, provedCredit, finalCredit]),
    );
    await news.step();
    for (const course of [[70_001], [70_001, 70_001], [70_001, 70_001, 70_001]]) {
      credited = course;
      change(1, 3, 3, 3, 0);
      // The account is not settled then: it is asked for whatever else has changed.
      queries = [];
      listen(1);
      await news.step();
      expect(queries.map(({ certain }) => certain)).toEqual([[1]]);
    }
    expect(told).toEqual([
      [undefined, undefined, undefined],
      [70_001, undefined, undefined],
      [70_001, 70_001, undefined],
      [70_001, 70_001, 70_001],
    ]);
  });

  it('is looked at until it is settled: executed, proved, final, taken back or rejected', async () => {
    progress.set(1, [3, 3, 3, 1]);
    listen(1);
    const course: readonly (readonly [number, number, number, number])[] = [
      [3, 3, 3, 1],
      [4, 3, 3, 0],
      [4, 4, 3, 0],
      [3, 3, 3, 1],
      [3, 3, 3, 0],
    ];
    for (const values of course) {
      change(1, ...values);
      await news.step();
    }
    change(1, 9, 9, 9, 0);
    await news.step();
    expect(heard).toEqual(course.map((values) => ['a', ...values]));
    expect(queries.at(-1)?.certain).toEqual([]);
  });

  it('is announced once when changes come together', async () => {
    progress.set(1, [3, 3, 3, 4]);
    listen(1);
    await news.step();
    for (const executed of [4, 5, 6, 7]) change(1, executed, executed, executed, 7 - executed);
    await news.step();
    expect(heard).toEqual([
      ['a', 3, 3, 3, 4],
      ['a', 7, 7, 7, 0],
    ]);
  });

  it('is announced to a new listener alone when it is as before', async () => {
    const stop = listen(1);
    await news.step();
    listen(1, 'b');
    await news.step();
    stop();
    listen(1, 'c');
    await news.step();
    expect(heard).toEqual(['a', 'b', 'c'].map((name) => [name, 3, 3, 3, 0]));
  });

  it('is looked at again after a look that failed', async () => {
    const failing = new ProgressNews({
      readProgressMarks: async () => marks,
      findChangedProgress: async ({ certain }) => {
        if (queries.push({} as ProgressQuery) === 1) throw new Error('lost');
        return certain.map(progressOf);
      },
    });
    failing.onProgress(1, () => heard.push('told'));
    await expect(failing.step()).rejects.toThrow('lost');
    await failing.step();
    expect(heard).toEqual(['told']);
  });
});
