import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { createdAddress, isCreatedBefore } from './created-address.js';

/** The account and the addresses of an example that many documents have. */
const from = parseAddress('0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0');
const CREATED = [
  '0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d',
  '0x343c43a37d37dff08ae8c4a11544c718abb4fcf8',
  '0xf778b86fa74e846c4f0a1fbd1335fe81c00a0c91',
  '0xfffd933a0bc612844eaf0c6fe3e5b8e9b6c1d19c',
].map(parseAddress);

describe('where an account creates contracts', () => {
  it('follows from the account and its nonce', () => {
    expect(CREATED.map((_, nonce) => createdAddress(from, nonce))).toEqual(CREATED);
  });

  it('tells what it created before, not later, and not too long before', () => {
    const before = (index: number, nonce: number, reach = 100) =>
      isCreatedBefore(CREATED[index]!, { from, nonce }, reach);
    expect([before(0, 3), before(2, 3), before(3, 3), before(3, 4)]).toEqual([true, true, false, true]);
    expect([before(0, 3, 3), before(0, 3, 2), before(0, 0)]).toEqual([true, false, false]);
    expect(isCreatedBefore(from, { from, nonce: 50 }, 100)).toBe(false);
  });
});
