import { describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import { addressFromBytes, hashFromBytes, type BlockHeader } from '@tetrad/types';
import fc from 'fast-check';
import { InvalidBlockError, decodeHeader, encodeHeader, headerFields } from './header-rlp.js';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hash = bytes(32).map(hashFromBytes);
const scalar = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

const header: fc.Arbitrary<BlockHeader> = fc
  .record({
    parentHash: hash,
    ommersHash: hash,
    beneficiary: bytes(20).map(addressFromBytes),
    stateRoot: hash,
    transactionsRoot: hash,
    receiptsRoot: hash,
    logsBloom: bytes(256),
    difficulty: scalar,
    number: fc.maxSafeNat(),
    gasLimit: scalar,
    gasUsed: scalar,
    timestamp: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    extraData: fc.uint8Array({ maxLength: 200 }),
    mixHash: hash,
    nonce: bytes(8),
  })
  .chain((base) =>
    fc
      .record({
        fork: fc.nat(4),
        baseFeePerGas: scalar,
        root: hash,
        blobGasUsed: scalar,
        excessBlobGas: scalar,
      })
      .map(({ fork, baseFeePerGas, root, blobGasUsed, excessBlobGas }) => ({
        ...base,
        ...(fork > 0 ? { baseFeePerGas } : {}),
        ...(fork > 1 ? { withdrawalsRoot: root } : {}),
        ...(fork > 2 ? { blobGasUsed, excessBlobGas, parentBeaconBlockRoot: root } : {}),
        ...(fork > 3 ? { requestsHash: root } : {}),
      })),
  );

const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');

describe('an encoded header', () => {
  it('is read back as it was, whatever its fork', () => {
    fc.assert(
      fc.property(header, (one) => {
        const copy = decodeHeader(encodeHeader(one));
        const plain = ({ logsBloom, extraData, nonce, ...rest }: BlockHeader) => ({
          ...rest,
          blobs: [logsBloom, extraData, nonce].map(hex),
        });
        expect(plain(copy)).toEqual(plain(one));
      }),
    );
  });

  it('is refused with InvalidBlockError whenever a field is malformed', () => {
    const wrong = fc.oneof<fc.Arbitrary<Uint8Array | Uint8Array[]>[]>(
      fc.constant(new Uint8Array(0)),
      fc.constant(Uint8Array.of(0)),
      fc.constant(new Uint8Array(33).fill(1)),
      fc.constant([new Uint8Array(1)]),
      fc.uint8Array({ maxLength: 40 }),
    );
    fc.assert(
      fc.property(header, fc.nat(20), wrong, (one, position, value) => {
        const fields: (Uint8Array | Uint8Array[])[] = headerFields(one);
        fields[position % fields.length] = value;
        const encoded = RLP.encode(fields);
        try {
          // What is accepted all the same must be a header that is written like this.
          expect(hex(encodeHeader(decodeHeader(encoded)))).toBe(hex(encoded));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidBlockError);
        }
      }),
    );
  });

  it('is refused when it is not a list of fields', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
        expect(() => decodeHeader(noise)).toThrow(InvalidBlockError);
      }),
    );
  });
});
