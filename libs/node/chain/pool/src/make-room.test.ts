import { beforeEach, describe, expect, it } from '@jest/globals';
import { entry } from '../test/pool-entries.js';
import { makeRoom } from './make-room.js';
import { PoolBook } from './pool-book.js';
import type { PoolEntry } from './pool-entry.js';
import { completePoolLimits, type PoolLimits } from './pool-limits.js';
import { STANDING, type Standing } from './standing.js';

let book: PoolBook;
/** What is in, by a name such as `1:5` for sender 1, nonce 5. */
let names: Map<PoolEntry, string>;

beforeEach(() => {
  book = new PoolBook();
  names = new Map();
});

const { unfunded, funded, local } = STANDING;

function given(sender: number, nonces: readonly number[], standing: Standing, dataBytes = 0): void {
  for (const nonce of nonces) {
    const one = entry({ sender, nonce: BigInt(nonce), dataBytes });
    names.set(one, `${sender}:${nonce}`);
    book.put(one, 0n, standing);
  }
}

/** Names of what leaves for a newcomer, or why it may not come. */
function leaves(
  limits: Partial<PoolLimits>,
  [sender, nonce, standing]: readonly [number, number, Standing],
  dataBytes = 0,
): readonly (string | undefined)[] | string {
  const newcomer = { entry: entry({ sender, nonce: BigInt(nonce), dataBytes }), nextNonce: 0n, standing };
  const content = () => [...book.content().pending, ...book.content().queued].flat(2).length;
  const before = [book.total.count, book.total.bytes, content()];
  try {
    return makeRoom(newcomer, { book, limits: completePoolLimits(limits) }).map((one) =>
      names.get(one.entry),
    );
  } catch (error) {
    expect([book.total.count, book.total.bytes, content()]).toEqual(before);
    return (error as { code: string }).code;
  }
}

describe('room in the pool', () => {
  it('is available until a bound is met', () => {
    given(1, [0, 1, 5], funded);
    expect(leaves({ total: 4 }, [2, 0, funded])).toEqual([]);
    const { length } = entry().transaction.raw;
    expect(leaves({ totalBytes: book.total.bytes + length }, [2, 0, funded])).toEqual([]);
    expect(leaves({ totalBytes: book.total.bytes + length - 1 }, [2, 0, funded])).toEqual(['1:5']);
  });

  it('is made from queued transactions before pending ones, whatever their sender', () => {
    given(1, [0, 1], unfunded);
    given(2, [3], local);
    expect(leaves({ total: 3 }, [3, 0, unfunded])).toEqual(['2:3']);
  });

  it('is made from senders of a lower standing first', () => {
    given(1, [3, 4, 5], local);
    given(2, [3, 4], funded);
    given(3, [3], unfunded);
    expect(leaves({ total: 6, queued: 6 }, [4, 0, funded])).toEqual(['3:3']);
    expect(leaves({ total: 5, queued: 6 }, [4, 0, funded])).toEqual(['2:4']);
  });

  it('is made from the sender that holds most, by its last transaction', () => {
    given(1, [3, 4], funded);
    given(2, [3, 4, 5], funded);
    given(3, [7], funded, 500);
    expect(leaves({ total: 6 }, [4, 0, funded])).toEqual(['3:7']);
    expect(leaves({ total: 5 }, [4, 0, funded])).toEqual(['2:5']);
  });

  it('is made from as many transactions as needed, or from none', () => {
    given(1, [3, 4, 5], unfunded);
    given(2, [0], funded);
    const { bytes } = book.total;
    expect(leaves({ totalBytes: bytes }, [3, 0, funded], 150)).toEqual(['1:5', '1:4', '1:3']);
    given(1, [3, 4, 5], unfunded);
    expect(leaves({ totalBytes: bytes }, [3, 0, funded], 2_000)).toBe('POOL_FULL');
  });

  it('is made for a queued one from a lower standing, or from a sender that holds more', () => {
    given(1, [3, 4], funded);
    const limits = { queued: 2 };
    expect(leaves(limits, [2, 3, unfunded])).toBe('POOL_FULL');
    expect(leaves(limits, [1, 5, funded])).toBe('POOL_FULL');
    expect(leaves(limits, [2, 3, funded], 200)).toBe('POOL_FULL');
    expect(leaves(limits, [2, 3, funded])).toEqual(['1:4']);
    given(1, [4], funded);
    expect(leaves(limits, [2, 3, local], 200)).toEqual(['1:4']);
  });

  it('is never made from pending ones for queued ones, nor for one of the same standing', () => {
    given(1, [0, 1, 2], funded);
    expect(leaves({ total: 3 }, [2, 3, local])).toBe('POOL_FULL');
    expect(leaves({ total: 3 }, [2, 0, funded])).toBe('POOL_FULL');
    expect(leaves({ total: 3 }, [2, 0, unfunded])).toBe('POOL_FULL');
    expect(leaves({ total: 3 }, [2, 0, local])).toEqual(['1:2']);
  });

  it('is reserved for funded senders, as those without balance get three quarters', () => {
    given(1, [0, 1], unfunded);
    given(2, [0], unfunded);
    expect(leaves({ total: 4 }, [3, 0, unfunded])).toBe('POOL_FULL');
    expect(leaves({ total: 4 }, [3, 1, funded])).toEqual([]);
    expect(leaves({ total: 3 }, [3, 0, funded])).toEqual(['1:1']);
  });

  it('is limited per sender, whose last queued transaction leaves for one that its next blocks need', () => {
    given(1, [0, 4, 5], funded);
    expect(leaves({ perAccount: 3 }, [1, 6, funded])).toBe('ACCOUNT_LIMIT_EXCEEDED');
    expect(leaves({ perAccount: 3 }, [1, 1, funded])).toEqual(['1:5']);
    const { bytes } = book.total;
    expect(leaves({ perAccountBytes: bytes }, [1, 6, funded])).toBe('ACCOUNT_LIMIT_EXCEEDED');
    given(2, [0, 1], funded);
    expect(leaves({ perAccount: 2 }, [2, 2, funded])).toBe('ACCOUNT_LIMIT_EXCEEDED');
  });

  it('is needed for the additional bytes of a replacement', () => {
    given(1, [0], funded);
    given(2, [3], funded);
    const { bytes } = book.total;
    expect(leaves({ totalBytes: bytes }, [1, 0, funded])).toEqual([]);
    expect(leaves({ totalBytes: bytes }, [1, 0, funded], 10)).toEqual(['2:3']);
    expect(leaves({ totalBytes: bytes }, [1, 0, funded], 1_000)).toBe('POOL_FULL');
    expect(leaves({ perAccountBytes: 200 }, [1, 0, funded], 1_000)).toBe('ACCOUNT_LIMIT_EXCEEDED');
  });
});

describe('bounds that are not given', () => {
  it('follow those that are', () => {
    const limits = completePoolLimits({ total: 10, totalBytes: 8_000_000, transactionBytes: 1_000_000 });
    expect(limits).toMatchObject({ queued: 3, queuedBytes: 2_000_000, perAccountBytes: 1_000_000 });
  });
});
