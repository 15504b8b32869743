import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { paginateByNonce } from './page.js';

const listOf = (nonces: readonly number[]) => async (limit: number) => nonces.slice(0, limit);

describe('a page of operations', () => {
  it('pages together hold every operation once, whatever the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(12), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (drawn, softLimit) => {
          const nonces = [...drawn].sort((one, other) => one - other);
          const seen: number[] = [];
          for (let from = 0; ;) {
            const rest = nonces.filter((nonce) => nonce >= from);
            const page = await paginateByNonce(softLimit, (nonce) => nonce, listOf(rest));
            seen.push(...page.items);
            if (!page.hasMoreResults) break;
            expect(page.items.length).toBeGreaterThan(0);
            if (page.items.length > softLimit) expect(new Set(page.items).size).toBe(1);
            from = (page.items.at(-1) as number) + 1;
          }
          expect(seen).toEqual(nonces);
        },
      ),
    );
  });

  const nonceOf = (nonce: number) => nonce;
  const same = (count: number) => Array.from({ length: count }, () => 7);

  it.each([
    [2, [1, 7, 7, 8], [1]],
    [3, [1, 7, 7, 8], [1, 7, 7]],
    [1, [1, 7], [1]],
    [2, [7, 7, 7, 8], [7, 7, 7]],
  ])('of %d holds no more, unless they have one nonce: %j', async (softLimit, nonces, items) => {
    expect(await paginateByNonce(softLimit, nonceOf, listOf(nonces))).toEqual({
      hasMoreResults: true,
      items,
    });
  });

  it('goes beyond its limit for operations of one nonce no further than it can', async () => {
    expect((await paginateByNonce(2, nonceOf, listOf(same(1_002)))).items).toHaveLength(1_002);
    await expect(paginateByNonce(2, nonceOf, listOf(same(1_003)))).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
    });
  });
});
