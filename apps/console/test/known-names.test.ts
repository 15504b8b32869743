import { expect, it } from '@jest/globals';
import type { KeptAbi, Use } from '../page/src/abi/kept-abi.js';
import { addressNamed, namesOf } from '../page/src/abi/known-names.js';

const address = (byte: string) => `0x${byte.repeat(20)}` as `0x${string}`;
const abi = (name: string, use: Use, more: Partial<KeptAbi> = {}): KeptAbi =>
  ({ id: 1, by: name, use, contract: { name }, ...more }) as KeptAbi;
const network = {
  nodes: [
    { name: 'bank-a', address: address('Aa'), hasManager: true },
    { name: 'unknown', address: address('00'), hasManager: true },
  ],
  rollup: { contract: address('bb') },
  labels: [{ address: address('Cc'), label: 'Treasury' }],
};

it('names are those of the operator alone, not of files that a reader added', () => {
  const names = namesOf(network, [
    abi(`Coupon.${address('dd')}.json`, address('dd'), { isOffered: true }),
    abi('Forged', address('ee')),
    abi('Any', 'any', { isOffered: true }),
  ]);
  expect(Object.fromEntries(names)).toEqual({
    [address('aa')]: 'bank-a',
    [address('bb')]: 'rollup',
    [address('cc')]: 'Treasury',
    [address('dd')]: 'Coupon',
  });
  expect(addressNamed(names, 'tREASURY')).toBe(address('cc'));
  expect(addressNamed(names, 'Forged')).toBeUndefined();
});

it('a name that two addresses have leads to neither', () => {
  const same = [
    abi('Token', address('dd'), { isOffered: true }),
    abi('Token', address('ee'), { isOffered: true }),
  ];
  expect(addressNamed(namesOf(network, same), 'token')).toBeUndefined();
});
