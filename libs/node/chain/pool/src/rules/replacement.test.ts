import { expect, it } from '@jest/globals';
import { entry, rejection } from '../../test/pool-entries.js';
import { replacement } from './replacement.js';

const legacy = (gasPrice: bigint) => entry({ fees: { type: 'legacy', gasPrice } });
const dynamic = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
  entry({ fees: { type: 'dynamicFee', maxFeePerGas, maxPriorityFeePerGas, accessList: [] } });

it.each([
  ['nothing with its nonce', legacy(0n), undefined, true],
  ['a higher price', legacy(1n), legacy(0n), true],
  ['the same price', legacy(1n), legacy(1n), false],
  ['a lower price', legacy(1n), legacy(2n), false],
  ['a higher cap but the same tip', dynamic(9n, 1n), legacy(1n), false],
  ['a higher tip', dynamic(9n, 2n), legacy(1n), true],
])('a replacement of or at %s', (_, newcomer, pending, isAccepted) => {
  const queue = { cost: 0n, at: () => pending };
  const result = rejection(() => replacement.check({ entry: newcomer, account: undefined, queue }));
  expect(result).toEqual(
    isAccepted ? 'accepted' : ['REPLACEMENT_UNDERPRICED', 'replacement transaction underpriced'],
  );
});
