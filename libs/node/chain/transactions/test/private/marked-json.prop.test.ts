import { describe, it } from '@jest/globals';
import { keccak256, signDigest } from '@tetrad/crypto';
import { decodeTransaction } from '@tetrad/node-execution';
import { readMarkedTransaction } from '@tetrad/node-private-state';
import { privateEnvelopeOf } from '@tetrad/transactions';
import { addressFromBytes, type SignedTransaction } from '@tetrad/types';
import fc from 'fast-check';
import { markedJson } from '../../src/index.js';

const decode = (raw: Uint8Array) => decodeTransaction(raw, 1337n);

const transactions = fc
  .record({
    nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 2n }),
    gasPrice: fc.bigInt({ min: 0n, max: 2n ** 80n }),
    gasLimit: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    to: fc.option(fc.uint8Array({ minLength: 20, maxLength: 20 }).map(addressFromBytes), { nil: undefined }),
    data: fc.uint8Array({ minLength: 64, maxLength: 64 }),
    key: fc.uint8Array({ minLength: 31, maxLength: 31 }).map((bytes) => Uint8Array.of(1, ...bytes)),
  })
  .map(({ key, ...fields }): SignedTransaction => {
    const envelope = privateEnvelopeOf({ ...fields, value: 0n });
    return decode(envelope.raw(signDigest(keccak256(envelope.preimage()), key)));
  });

describe('a private transaction behind a marker', () => {
  it('is decoded as it was encoded, also with the line end of other nodes', () => {
    fc.assert(
      fc.property(transactions, fc.constantFrom('', '\n'), (transaction, end) => {
        const payload = new TextEncoder().encode(markedJson(transaction) + end);
        const read = readMarkedTransaction(payload, decode);
        return read?.hash === transaction.hash && read.sender === transaction.sender;
      }),
      { numRuns: 60 },
    );
  });
});
