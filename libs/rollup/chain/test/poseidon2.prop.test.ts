import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FIELD_MODULUS, hashWords } from '@tetrad/rollup-crypto';
import fc from 'fast-check';
import { deriveRoundConstants } from '../../crypto/src/poseidon2-constants.js';
import { describeWithAnvil } from './anvil-chain.js';
import { EvmContract } from './evm-contract.js';

const word = fc.oneof(
  fc.constantFrom(0n, 1n, FIELD_MODULUS - 1n, FIELD_MODULUS - 2n, FIELD_MODULUS >> 1n),
  fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n }),
);

describeWithAnvil('Poseidon2 in Solidity', () => {
  let contract: EvmContract;
  beforeAll(async () => {
    contract = await EvmContract.create('proofs.sol', 'Proofs');
  });
  afterAll(() => contract?.stop());

  it('has the round constants that are derived', async () => {
    const [words] = await contract.call('constants', []);
    expect([...(words as Iterable<bigint>)]).toEqual(deriveRoundConstants());
  });

  it('is that of the library, of any number of words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 16 }), async (words) => {
        expect((await contract.call('hashWords', [words]))[0]).toBe(hashWords(words));
      }),
      { numRuns: 60 },
    );
  });

  it('is that of the library of two words, the node of a tree', async () => {
    await fc.assert(
      fc.asyncProperty(word, word, async (left, right) => {
        expect((await contract.call('hash2', [left, right]))[0]).toBe(hashWords([left, right]));
      }),
      { numRuns: 60 },
    );
  });
});
