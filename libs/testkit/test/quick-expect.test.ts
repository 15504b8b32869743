import { describe, expect, it } from '@jest/globals';

/** What an assertion that fails throws. */
function failure(assert: () => unknown): Error {
  try {
    assert();
  } catch (error) {
    return error as Error;
  }
  throw new Error('the assertion passed');
}

const firstFrame = ({ stack = '' }: Error) => stack.split('\n').find((line) => /^\s+at /.test(line));

/** `expect` of a test file is that of libs/testkit/jest/quick-expect.mjs. */
describe('expect', () => {
  it('counts what passes', () => {
    expect.assertions(9);
    expect(1n).toBe(1n);
    expect({ a: new Map([[1, [2]]]) }).toEqual({ a: new Map([[1, [2]]]) });
    expect({ a: 1, b: 2 }).toEqual({ a: expect.any(Number), b: 2 });
    expect(undefined).toBeUndefined();
    expect(0).toBeDefined();
    expect(null).toBeNull();
    expect(2n).toBeGreaterThan(1);
    expect(1).toBeLessThanOrEqual(1);
    expect([1]).not.toEqual([2]);
  });

  it.each([
    ['toBe', () => expect(0).toBe(-0), 'Expected: -0'],
    ['toEqual', () => expect([1, 2]).toEqual([1, 3]), '-   3,'],
    ['toEqual with what is inherited', () => expect(new Error('a')).toEqual(new Error('b')), '[Error: b]'],
    ['toBeGreaterThan', () => expect(1).toBeGreaterThan(1), 'Expected: > 1'],
    ['toBeLessThan', () => expect(Number.NaN).toBeLessThan(1), 'Received:   NaN'],
    ['toBeUndefined', () => expect(null).toBeUndefined(), 'Received: null'],
    ['toBeNull', () => expect(undefined).toBeNull(), 'Received: undefined'],
    ['not', () => expect(1).not.toBe(1), 'Expected: not 1'],
  ])('throws what Jest throws: %s', (_, assert, message) => {
    expect(failure(assert).message).toContain(message);
  });

  it.each([
    ['a matcher that is tried first', () => expect(1).toBe(2)],
    ['another one', () => expect('a').toMatch('b')],
  ])('throws where the test calls it: %s', (_, assert) => {
    expect(firstFrame(failure(assert))).toContain('quick-expect.test.ts');
  });

  it('refuses arguments as Jest does', () => {
    expect(() => (expect(1).toBeUndefined as (value: unknown) => void)(1)).toThrow('must not have');
    expect(() => (expect as (...values: number[]) => unknown)(1, 2)).toThrow('at most one argument');
    expect(() => expect('2').toBeGreaterThan(1)).toThrow('must be a number or bigint');
  });

  it('has the matchers of promises, and those that a file adds', async () => {
    await expect(Promise.resolve(1)).resolves.toBe(1);
    await expect(Promise.reject(new Error('no'))).rejects.toThrow('no');
    expect.extend({
      toBeOdd: (value: number) => ({ pass: value % 2 === 1, message: () => `${value} is even` }),
    });
    const odd = (value: number) =>
      (expect(value) as ReturnType<typeof expect<number>> & { toBeOdd(): void }).toBeOdd();
    odd(1);
    expect(() => odd(2)).toThrow('2 is even');
  });
});
