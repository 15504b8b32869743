import { describe, expect, it } from '@jest/globals';
import { coinAddressOf, idAddress } from '@tetrad/wallet-key';
import { decode, encode } from 'cborg';
import fc from 'fast-check';
import { encodeBigInteger } from './big-integer.js';
import type { CoinMessage } from './coin-message.js';
import { formatContentId, messageContentId } from './content-id.js';
import { decodeEthPayload } from './eth-payload.js';
import { decodeCoinMessage, encodeCoinMessage } from './message-codec.js';
import { CoinMessageError } from './message-error.js';
import { recognizeChainMessage } from './recognize.js';

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const address = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(idAddress),
  bytesOf(20).map((payload) => coinAddressOf(1, payload)),
  bytesOf(20).map((payload) => coinAddressOf(2, payload)),
  bytesOf(48).map((payload) => coinAddressOf(3, payload)),
  bytesOf(20).map((payload) => coinAddressOf(4, Uint8Array.of(10, ...payload))),
);
// Values around the places where heads grow are where encoders go wrong.
const edges = [0n, 1n, 23n, 24n, 255n, 256n, 65_535n, 65_536n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n - 1n];
const uint64 = fc.oneof(
  fc.constantFrom(...edges, 2n ** 64n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
);
const int64 = fc
  .tuple(fc.boolean(), fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })))
  .map(([negative, value]) => (negative ? -1n - value : value));
const amount = fc.oneof(
  fc.bigInt({ min: -(256n ** 127n) + 1n, max: 256n ** 127n - 1n }),
  fc.bigInt({ min: -70_000n, max: 70_000n }),
);
const message: fc.Arbitrary<CoinMessage> = fc.record({
  version: uint64,
  to: address,
  from: address,
  nonce: uint64,
  value: amount,
  gasLimit: int64,
  gasFeeCap: amount,
  gasPremium: amount,
  method: uint64,
  params: fc.uint8Array({ maxLength: 300 }),
});

/** The message as a library of the field writes it. */
function byLibrary(m: CoinMessage): Uint8Array {
  return encode([
    m.version,
    m.to.toBytes(),
    m.from.toBytes(),
    m.nonce,
    encodeBigInteger(m.value),
    m.gasLimit,
    encodeBigInteger(m.gasFeeCap),
    encodeBigInteger(m.gasPremium),
    m.method,
    m.params,
  ]);
}

function decodedOrRefused(bytes: Uint8Array): CoinMessage | undefined {
  try {
    return decodeCoinMessage(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(CoinMessageError);
    return undefined;
  }
}

describe('any message', () => {
  it('comes back from its CBOR, which comes back from it, and which another encoder writes too', () => {
    fc.assert(
      fc.property(message, (any) => {
        const bytes = encodeCoinMessage(any);
        const decoded = decodeCoinMessage(bytes);
        expect(decoded).toEqual(any);
        const hex = Buffer.from(bytes).toString('hex');
        expect(Buffer.from(encodeCoinMessage(decoded)).toString('hex')).toBe(hex);
        expect(Buffer.from(byLibrary(any)).toString('hex')).toBe(hex);
      }),
      { numRuns: 10_000 },
    );
  });

  it('has a content id that begins as all of this network do', () => {
    fc.assert(
      fc.property(message, (any) => {
        const id = messageContentId(any);
        expect(id).toHaveLength(38);
        expect(formatContentId(id)).toMatch(/^bafy2bza[a-z2-7]+$/);
        expect(recognizeChainMessage(id)).toBe('message-cid');
        expect(recognizeChainMessage(encodeCoinMessage(any))).toBe('message');
      }),
    );
  });

  it('is read strictly: bytes with one of them changed are refused or are another message’s own bytes', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.nat(255), (any, at, byte) => {
        const bytes = Uint8Array.from(encodeCoinMessage(any));
        bytes[at % bytes.length] = byte;
        const decoded = decodedOrRefused(bytes);
        if (decoded !== undefined) expect(Buffer.from(encodeCoinMessage(decoded)).equals(bytes)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is refused when cut short or followed by more', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 5 }), (any, at, more) => {
        const bytes = encodeCoinMessage(any);
        expect(decodedOrRefused(bytes.subarray(0, at % bytes.length))).toBeUndefined();
        expect(decodedOrRefused(Buffer.concat([bytes, more]))).toBeUndefined();
      }),
    );
  });
});

describe('any bytes', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }).map((rest) => Uint8Array.of(0x8a, ...rest)),
    fc.uint8Array({ maxLength: 200 }).map((rest) => Uint8Array.of(0x8a, 0, 0x42, 0, 1, 0x42, 0, 1, ...rest)),
    fc
      .uint8Array({ maxLength: 80 })
      .map((rest) => Uint8Array.of(2, 0xc0 + Math.min(55, rest.length), ...rest)),
  );

  it('never crash a decoder', () => {
    fc.assert(
      fc.property(anything, (bytes) => {
        const decoded = decodedOrRefused(bytes);
        const eth = decodeEthPayload(bytes);
        const recognized = recognizeChainMessage(bytes);
        if (decoded !== undefined) {
          expect(recognized).toBe('message');
          expect(decode(bytes)).toHaveLength(10);
        }
        if (eth !== undefined) expect(recognized).toBe('delegated-message');
      }),
      { numRuns: 10_000 },
    );
  });
});
