import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DerivationThreads } from './derivation-threads.js';
import { derivationMemory, type KeyDerivation } from './key-derivation.js';

const salt = new Uint8Array(32);
const derivation = fc
  .record({ power: fc.integer({ min: 10, max: 18 }), r: fc.integer({ min: 8, max: 16 }) })
  .map(({ power, r }): KeyDerivation => ({ kdf: 'scrypt', n: 2 ** power, r, p: 1, salt }));

/** Threads that answer after a few turns of the loop, and keep book of what runs at a time. */
function createBook() {
  const book = {
    running: 0,
    memory: 0,
    most: 0,
    maxMemory: 0,
    started: 0,
    stopped: 0,
    order: [] as KeyDerivation[],
  };
  const startThread = () => {
    book.started += 1;
    return {
      async derive(one: KeyDerivation) {
        book.order.push(one);
        book.running += 1;
        book.memory += derivationMemory(one);
        book.most = Math.max(book.most, book.running);
        if (book.running > 1) book.maxMemory = Math.max(book.maxMemory, book.memory);
        for (let turn = 0; turn < derivationMemory(one) % 7; turn++) await Promise.resolve();
        book.running -= 1;
        book.memory -= derivationMemory(one);
        return new Uint8Array(32);
      },
      async stop() {
        book.stopped += 1;
      },
    };
  };
  return { book, startThread };
}

describe('derivation threads', () => {
  it('take no more memory than allowed, one alone excepted, keep the order and end their threads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(derivation, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 2 ** 30 }),
        async (jobs, threads, memory) => {
          const { book, startThread } = createBook();
          const pool = new DerivationThreads({ threads, memory, startThread });
          await Promise.all(jobs.map((job) => pool.derive(job, new Uint8Array(1))));
          expect(book.order).toEqual(jobs);
          expect(book.most).toBeLessThanOrEqual(threads);
          expect(book.maxMemory).toBeLessThanOrEqual(memory);
          await new Promise((tick) => setImmediate(tick));
          expect(book.stopped).toBe(book.started);
        },
      ),
    );
  });
});
