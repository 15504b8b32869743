import { describe, expect, it } from '@jest/globals';
import { ListPlaces } from './list-places.js';

/** Work that ends when the test says so. */
function work(name: string, log: string[]) {
  let end = (): void => undefined;
  const ended = new Promise<string>((done) => (end = () => done(name)));
  return { end, run: () => (log.push(name), ended) };
}

const late = () => new Error('too late');
const HOUR_MS = 3_600_000;

describe('places for lists', () => {
  it('are as many as there are, and pass to what has waited longest', async () => {
    const log: string[] = [];
    const places = new ListPlaces(2, HOUR_MS);
    const works = ['a', 'b', 'c', 'd'].map((name) => work(name, log));
    const taken = works.map(({ run }) => places.take(run, late));
    expect(log).toEqual(['a', 'b']);
    works[1]!.end();
    expect(await taken[1]).toBe('b');
    expect(log).toEqual(['a', 'b', 'c']);
    for (const { end } of works) end();
    expect(await Promise.all(taken)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are free again after a failure', async () => {
    const places = new ListPlaces(1, HOUR_MS);
    const failure = new Error('of the work');
    await expect(places.take(() => Promise.reject(failure), late)).rejects.toBe(failure);
    expect(await places.take(async () => 'done', late)).toBe('done');
  });

  it('are not waited for beyond the limit, and what has waited longer is not done', async () => {
    const log: string[] = [];
    const places = new ListPlaces(1, 1);
    const first = work('first', log);
    const held = places.take(first.run, late);
    await expect(places.take(work('second', log).run, late)).rejects.toThrow('too late');
    first.end();
    await held;
    expect(await places.take(async () => 'third', late)).toBe('third');
    expect(log).toEqual(['first']);
  });
});
