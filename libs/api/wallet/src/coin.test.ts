import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { coinMethods } from './coin.js';
import { walletMethods } from './index.js';

const signMessage = coinMethods['Coin.WalletSignMessage'];
const [, message] = signMessage.params;
const example = signMessage.examples[0]?.params[1] as Record<string, unknown>;

describe('a message of the coin network', () => {
  it('keeps 64-bit integers whole in both directions', () => {
    const largest = 2n ** 64n - 1n;
    const decoded = z.decode(message.schema, { ...example, Nonce: largest, Method: 3844450837 } as never);
    expect(decoded).toMatchObject({ Nonce: largest, Method: 3844450837n, Version: 0n });
    expect(z.encode(message.schema, decoded)).toMatchObject({
      Nonce: largest,
      Method: 3844450837,
      Version: 0,
    });
  });

  it.each([
    ['Nonce', 2n ** 64n],
    ['Nonce', -1],
    ['GasLimit', 2n ** 63n],
    ['Version', 1.5],
    ['Value', 100],
    ['Value', ''],
    ['GasFeeCap', '1e3'],
    ['Params', 'not base64'],
    ['To', undefined],
    ['From', null],
  ])('is refused with %s of %p', (member, value) => {
    expect(message.schema.safeParse({ ...example, [member]: value }).error?.issues[0]?.path).toEqual([
      member,
    ]);
  });

  it('keeps apart no parameters, null and empty ones, and a negative premium', () => {
    const { Params, ...without } = example;
    expect(Params).toBeDefined();
    expect(z.decode(message.schema, without as never)).not.toHaveProperty('Params');
    expect(z.decode(message.schema, { ...without, Params: null } as never).Params).toBeNull();
    expect(z.decode(message.schema, { ...without, Params: '' } as never).Params).toHaveLength(0);
    expect(z.decode(message.schema, { ...example, GasPremium: '-5' } as never).GasPremium).toBe(-5n);
  });

  it('is read with its members in any letter case', () => {
    const lower = Object.fromEntries(
      Object.entries(example).map(([key, value]) => [key.toLowerCase(), value]),
    );
    const [tolerance] = walletMethods['Coin.WalletSignMessage'].accepts;
    expect(tolerance?.normalize(['f1', { ...lower, CID: { '/': 'bafy' } }])[1]).toMatchObject(example);
    expect(tolerance?.normalize(['f1'])).toEqual(['f1']);
    expect(tolerance?.normalize(['f1', null])).toEqual(['f1', null]);
  });
});
