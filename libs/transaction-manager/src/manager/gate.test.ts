import { expect, it } from '@jest/globals';
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
