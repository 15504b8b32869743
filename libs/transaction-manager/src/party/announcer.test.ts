import { expect, it } from '@jest/globals';
import { Announcers } from './announcer.js';

const [STRANGER, HOST] = ['192.0.2.66', '192.0.2.1'] as const;

/** Announcers whose names are all at one host; those that are slow until they are answered. */
function announcers() {
  const waiting: (() => void)[] = [];
  const found = new Announcers(async (name) => {
    if (name.startsWith('slow')) await new Promise<void>((done) => waiting.push(done));
    return [HOST];
  });
  const end = () => waiting.splice(0).forEach((done) => done());
  return { isAt: (name: string, from: string) => found.isAt(`http://${name}/`, from), end, waiting };
}

it('a manager is at the address of its URL, and at those of its name', async () => {
  const { isAt } = announcers();
  expect(await isAt(HOST, HOST)).toBe(true);
  expect(await isAt('manager.example', `::ffff:${HOST}`)).toBe(true);
  expect(await isAt('manager.example', STRANGER)).toBe(false);
});

it('names that a stranger announces, and that answer late, do not keep those of others from being looked up', async () => {
  const { isAt, end, waiting } = announcers();
  const slow = ['slow-1.example', 'slow-2.example', 'slow-3.example'].map((name) => isAt(name, STRANGER));
  expect(waiting).toHaveLength(1);
  expect(await isAt('manager.example', HOST)).toBe(true);
  end();
  expect(await Promise.all(slow)).toEqual([false, false, false]);
  expect(await isAt('manager.example', STRANGER)).toBe(false);
});

it('no more than two are looked up at a time', async () => {
  const { isAt, end, waiting } = announcers();
  const slow = ['192.0.2.11', '192.0.2.12', '192.0.2.13'].map((from) => isAt('slow.example', from));
  expect(waiting).toHaveLength(2);
  expect(await isAt('manager.example', HOST)).toBe(false);
  end();
  await Promise.all(slow);
  expect(await isAt('manager.example', HOST)).toBe(true);
});
