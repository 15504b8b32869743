import { describe, expect, it } from '@jest/globals';
import herumi from 'bls-eth-wasm';
import { useDomainTag } from './bls-library.js';

describe('the domain tag of the BLS library', () => {
  it('is refused when it went to another copy of the library', () => {
    const toEthereum = () => herumi.setDstG2('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_');
    expect(() => useDomainTag(toEthereum)).toThrow('did not take the domain tag');
    expect(() => useDomainTag(herumi.setDstG2)).not.toThrow();
  });
});
