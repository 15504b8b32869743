import { describe, expect, it } from '@jest/globals';
import { Gate } from './gate.js';

/** Work of these amounts in a gate of 10, each piece of which ends when the test says so. */
function begin(amounts: readonly number[]) {
  const gate = new Gate(10);
  const entered: number[] = [];
  const ends: (() => void)[] = [];
  const works = amounts.map((amount, index) =>
    gate.take(amount, () => {
      entered.push(index);
      return new Promise<void>((end) => (ends[index] = end));
    }),
  );
  const end = async (index: number) => {
    ends[index]?.();
    await works[index];
    await turn();
  };
  return { entered, end };
}

const turn = () => new Promise((done) => void setImmediate(done));

it('lets in what fits together, in the order in which it came', async () => {
  const { entered, end } = begin([4, 6, 1, 9]);
  await turn();
  expect(entered).toEqual([0, 1]);
  await end(1);
  expect(entered).toEqual([0, 1, 2]);
  await end(0);
  expect(entered).toEqual([0, 1, 2, 3]);
});

it('lets what is larger than all the room in alone, and small work does not pass it', async () => {
  const { entered, end } = begin([1, 25, 1]);
  await turn();
  expect(entered).toEqual([0]);
  await end(0);
  expect(entered).toEqual([0, 1]);
  await end(1);
  expect(entered).toEqual([0, 1, 2]);
});

it('has the room again of work that failed', async () => {
  const gate = new Gate(1);
  await expect(gate.take(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await gate.take(1, async () => 'entered')).toBe('entered');
});

describe('work with a time limit for its wait', () => {
  const late = () => new Error('too late');

  it('is not done when there was no room in that time', async () => {
    const gate = new Gate(1);
    const log: string[] = [];
    let end = (): void => undefined;
    const held = gate.take(1, () => {
      log.push('first');
      return new Promise<void>((done) => (end = done));
    });
    const second = gate.take(1, async () => void log.push('second'), { waitMs: 1, late });
    await expect(second).rejects.toThrow('too late');
    end();
    await held;
    expect(await gate.take(1, async () => 'third', { waitMs: 1, late })).toBe('third');
    expect(log).toEqual(['first']);
  });

  it('makes way for what came later and fits', async () => {
    const gate = new Gate(10);
    let end = (): void => undefined;
    const held = gate.take(5, () => new Promise<void>((done) => (end = done)));
    const large = gate.take(10, async () => undefined, { waitMs: 1, late });
    const small = gate.take(5, async () => 'entered');
    await expect(large).rejects.toThrow('too late');
    expect(await small).toBe('entered');
    end();
    await held;
  });

  it('passes its place on to what has waited longest', async () => {
    const gate = new Gate(2);
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const takes = ['a', 'b', 'c', 'd'].map((name) =>
      gate.take(
        1,
        () => {
          log.push(name);
          return new Promise<string>((done) => ends.push(() => done(name)));
        },
        { waitMs: 3_600_000, late },
      ),
    );
    await turn();
    expect(log).toEqual(['a', 'b']);
    ends[1]?.();
    expect(await takes[1]).toBe('b');
    await turn();
    expect(log).toEqual(['a', 'b', 'c']);
    ends[0]?.();
    await turn();
    for (const end of ends) end();
    expect(await Promise.all(takes)).toEqual(['a', 'b', 'c', 'd']);
  });
});
