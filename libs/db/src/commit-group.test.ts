import { describe, expect, it } from '@jest/globals';
import { CommitGroup } from './commit-group.js';

/** A group whose writes are ended by the test. */
function createGroup() {
  const written: number[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const group = new CommitGroup<number, string>(async (items) => {
    written.push([...items]);
    await new Promise<void>((done, fail) =>
      ends.push((error) => (error === undefined ? done() : fail(error))),
    );
    return items.map((item) => `stored ${item}`);
  });
  const started = async (count: number) => {
    while (ends.length < count) await new Promise((turn) => setImmediate(turn));
  };
  return { group, written, ends, started };
}

describe('a commit group', () => {
  it('writes together the items that arrived during the last write, in order', async () => {
    const { group, written, ends, started } = createGroup();
    const results = [1, 2].map((item) => group.add(item));
    await started(1);
    results.push(...[3, 4, 5].map((item) => group.add(item)));
    ends[0]?.();
    await started(2);
    ends[1]?.();
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5].map((item) => `stored ${item}`));
    expect(written).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('fails the items of a failed write, and continues', async () => {
    const { group, ends, started } = createGroup();
    const first = group.add(1);
    await started(1);
    const second = group.add(2);
    ends[0]?.(new Error('no disk'));
    await expect(first).rejects.toThrow('no disk');
    await started(2);
    ends[1]?.();
    expect(await second).toBe('stored 2');
  });

  it('ends a write at its bytes, but takes one item of any size', async () => {
    const written: string[][] = [];
    const group = new CommitGroup<string, void>(
      async (items) => {
        written.push([...items]);
        return items.map(() => undefined);
      },
      { bytes: { of: ({ length }) => length, group: 4 } },
    );
    await Promise.all(['a', 'bbb', 'c', 'dddddd', 'e'].map((item) => group.add(item)));
    expect(written).toEqual([['a', 'bbb'], ['c'], ['dddddd'], ['e']]);
  });

  it('bounds the bytes of the queue, but takes one item of any size', async () => {
    let write = () => undefined as void;
    const group = new CommitGroup<string, void>(
      async (items) => {
        await new Promise<void>((done) => (write = done));
        return items.map(() => undefined);
      },
      { bytes: { of: ({ length }) => length, group: 4, waiting: 5 } },
    );
    const long = group.add('dddddddd');
    await expect(group.add('a')).rejects.toThrow('too many pending database writes');
    await new Promise((turn) => setImmediate(turn));
    // The first is written now, and waits no more.
    const waiting = ['bbb', 'cc'].map((item) => group.add(item));
    await expect(group.add('e')).rejects.toThrow('too many pending database writes');
    const release = setInterval(() => write(), 1);
    await Promise.all([long, ...waiting]);
    await group.add('ffff');
    clearInterval(release);
  });

  it('bounds the queue', async () => {
    const { group, ends, started } = createGroup();
    const first = group.add(0);
    await started(1);
    const waiting = Array.from({ length: 50_000 }, (_, index) => group.add(index));
    await expect(group.add(-1)).rejects.toThrow('too many pending database writes');
    const release = setInterval(() => ends.forEach((end) => end()), 1);
    await Promise.all([first, ...waiting]);
    clearInterval(release);
  });
});
