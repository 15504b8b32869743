import { describe, expect, it } from '@jest/globals';
import { isPrivateKey } from '@tetrad/crypto';
import { hexFromBytes } from '@tetrad/types';
import fc from 'fast-check';
import { EVERY_TYPE, ethersForm, signedByEthers, transactionsOf } from '../test/arbitrary-transactions.js';
import { encodeUnsigned, envelopeOf, signTransaction } from './transaction-envelope.js';

const privateKeys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(isPrivateKey);

describe.each(EVERY_TYPE)('transactions of the type %s', (type) => {
  it('are signed as ethers signs them, byte for byte', () => {
    fc.assert(
      fc.property(transactionsOf(type), privateKeys, (transaction, key) => {
        expect(hexFromBytes(signTransaction(transaction, key))).toBe(signedByEthers(transaction, key));
      }),
      { numRuns: 200 },
    );
  });

  it('have the bytes to sign that ethers has', () => {
    fc.assert(
      fc.property(transactionsOf(type), (transaction) => {
        const theirs = ethersForm(transaction).unsignedSerialized;
        expect(hexFromBytes(envelopeOf(transaction).preimage())).toBe(theirs);
      }),
    );
  });

  it('have zeros in place of an external signature', () => {
    fc.assert(
      fc.property(transactionsOf(type, 1n), (transaction) => {
        const zeros = { r: new Uint8Array(32), s: new Uint8Array(32), parity: 0 } as const;
        const unsigned = Buffer.from(encodeUnsigned(transaction));
        const raw = envelopeOf(transaction).raw(zeros);
        // The v of a legacy transaction on chain 1 is 37, one byte like zero.
        expect([unsigned.length, ...unsigned.subarray(-3)]).toEqual([raw.length, 0x80, 0x80, 0x80]);
        expect(Buffer.from(raw).subarray(0, -3)).toEqual(unsigned.subarray(0, -3));
      }),
    );
  });
});
