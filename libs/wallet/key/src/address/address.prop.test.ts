import { describe, expect, it } from '@jest/globals';
import { RequestError } from '@tetrad/types';
import fc from 'fast-check';
import { formatCoinAddress, parseCoinAddress } from './address-text.js';
import {
  MAX_ACTOR_ID,
  PROTOCOL,
  actorIdOf,
  coinAddressFromBytes,
  coinAddressOf,
  idAddress,
} from './coin-address.js';
import { encodeVarint } from './varint.js';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hashed = fc
  .tuple(fc.constantFrom(PROTOCOL.secp256k1, PROTOCOL.actor), bytesOf(20))
  .map(([protocol, payload]) => coinAddressOf(protocol, payload));
const bls = bytesOf(48).map((payload) => coinAddressOf(PROTOCOL.bls, payload));
const id = fc.bigInt({ min: 0n, max: MAX_ACTOR_ID }).map(idAddress);
const delegated = fc
  .tuple(fc.bigInt({ min: 0n, max: MAX_ACTOR_ID }), fc.uint8Array({ maxLength: 54 }))
  .map(([namespace, sub]) =>
    coinAddressOf(PROTOCOL.delegated, Buffer.concat([encodeVarint(namespace), sub])),
  );
const anyAddress = fc.oneof(hashed, bls, id, delegated);
const network = fc.constantFrom('main', 'test');

function parsedOrRefused(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError);
    expect((error as RequestError).code).toBe('INVALID_COIN_ADDRESS');
    return undefined;
  }
}

describe('any address', () => {
  it('round-trips through the text of both networks and through its bytes', () => {
    fc.assert(
      fc.property(anyAddress, network, (address, net) => {
        const text = formatCoinAddress(address, net);
        expect(text.length).toBeLessThanOrEqual(115);
        expect(parseCoinAddress(text).key).toBe(address.key);
        expect(parseCoinAddress(text, { requireNetwork: net }).equals(address)).toBe(true);
        expect(coinAddressFromBytes(address.toBytes()).key).toBe(address.key);
      }),
      { numRuns: 1000 },
    );
  });

  it('has no other text: a changed letter is refused', () => {
    fc.assert(
      fc.property(fc.oneof(hashed, bls, delegated), fc.nat(), fc.nat(31), (address, at, letter) => {
        const text = formatCoinAddress(address, 'main');
        const index = 2 + (at % (text.length - 2));
        const changed = text.slice(0, index) + ALPHABET.charAt(letter) + text.slice(index + 1);
        fc.pre(changed !== text);
        expect(parsedOrRefused(() => parseCoinAddress(changed))).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('has no other text: each of the aliases of its last letter is refused', () => {
    fc.assert(
      fc.property(fc.oneof(hashed, bls), (address) => {
        const text = formatCoinAddress(address, 'test');
        for (const letter of ALPHABET) {
          const alias = text.slice(0, -1) + letter;
          if (alias !== text) expect(parsedOrRefused(() => parseCoinAddress(alias))).toBeUndefined();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('cannot be changed through the bytes it was created from or returned', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        const bytes = address.toBytes();
        const again = coinAddressFromBytes(bytes);
        bytes.fill(0xff);
        address.toBytes().fill(0xff);
        again.payload().fill(0xff);
        expect(Buffer.from(again.toBytes()).toString('hex')).toBe(address.key);
        expect(again.equals(address)).toBe(true);
      }),
    );
  });
});

describe('actor ids', () => {
  it('come back from their address', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_ACTOR_ID }), (value) => {
        expect(actorIdOf(idAddress(value))).toBe(value);
      }),
    );
  });
});

describe('anything else', () => {
  const nearText = fc
    .tuple(fc.constantFrom('f', 't', 'F', ''), fc.constantFrom('0', '1', '2', '3', '4', '410f', '9'))
    .chain(([letter, digit]) => fc.string({ maxLength: 120 }).map((tail) => letter + digit + tail));

  it('is refused as text, never a crash', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 130 }), nearText), (text) => {
        parsedOrRefused(() => parseCoinAddress(text));
      }),
      { numRuns: 10_000 },
    );
  });

  it('is refused as bytes, or round-trips', () => {
    const near = fc
      .tuple(fc.nat(5), fc.uint8Array({ maxLength: 70 }))
      .map(([protocol, rest]) => Uint8Array.of(protocol, ...rest));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 70 }), near), (bytes) => {
        const address = parsedOrRefused(() => coinAddressFromBytes(bytes));
        if (address !== undefined) expect(address).toMatchObject({ key: Buffer.from(bytes).toString('hex') });
      }),
      { numRuns: 10_000 },
    );
  });
});
