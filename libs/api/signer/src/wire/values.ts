import {
  bytesFromHex,
  hexFromBytes,
  isPtmKey,
  parseAddress,
  parsePtmKey,
  type Address,
  type PtmKey,
} from '@tetrad/types';
import { z } from 'zod';

/**
 * Values as the signing proxies that users come from read them: looser than the Ethereum execution API
 * (quantities as numbers or decimal text, `0x` left out, odd digits). Encoded strictly.
 */

const QUANTITY_TEXT = /^(?:0[xX][0-9a-fA-F]+|[0-9]+)$/;
const BITS_256 = 2n ** 256n;

const wireInteger = z
  .custom<number | bigint>(
    (value) =>
      (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) && value >= 0,
    'must be a whole number',
  )
  .meta({ type: 'integer', minimum: 0 });

/** Hex or decimal text, or a JSON integer of any size; up to 256 bits. */
export const looseQuantityCodec = z.codec(
  z.union([z.string().max(80).regex(QUANTITY_TEXT), wireInteger], {
    error: 'must be a quantity: 0x and hex digits, decimal text, or a whole number',
  }),
  z.bigint().refine((value) => value < BITS_256, 'must have at most 256 bits'),
  { decode: (wire) => BigInt(wire), encode: (value) => `0x${value.toString(16)}` },
);

/** Hex with or without `0x`; an odd digit count is padded on the left. */
export const looseDataCodec = z.codec(
  z.string().regex(/^(?:0[xX])?[0-9a-fA-F]*$/, 'must be hex'),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  { decode: bytesFromLooseHex, encode: (bytes) => hexFromBytes(bytes) },
);

function bytesFromLooseHex(text: string): Uint8Array {
  const digits = text.replace(/^0x/i, '');
  return bytesFromHex(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`);
}

/** What eth_sign signs: bytes when the text starts with `0x`, otherwise the text in UTF-8. */
export const messageCodec = z.codec(
  z.string().refine((text) => !/^0x/i.test(text) || /^0x[0-9a-f]*$/i.test(text), 'must be hex after 0x'),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  {
    decode: (text) => (/^0x/i.test(text) ? bytesFromLooseHex(text) : new TextEncoder().encode(text)),
    encode: (bytes) => hexFromBytes(bytes),
  },
);

/**
 * Name of an account, in lower case and with `0x`. It need not be an address: whatever names no key that is
 * held is refused as an unknown account, not as a bad parameter.
 */
export const accountNameCodec = z.codec(z.string().min(1, 'must name an account').max(256), z.string(), {
  decode: (text) => {
    const name = text.toLowerCase();
    return name.startsWith('0x') ? name : `0x${name}`;
  },
  encode: (name) => name,
});

/** Recipient: 20 bytes of hex with or without `0x`, or nothing (null, `""` and `0x`) for a contract creation. */
export const recipientCodec = z.codec(
  z.string().regex(/^(?:0[xX])?(?:[0-9a-fA-F]{40})?$/, 'must be an address: 40 hex digits'),
  z.custom<Address | undefined>((value) => value === undefined || typeof value === 'string'),
  {
    decode: (text) => (text.length < 40 ? undefined : parseAddress(`0x${text.slice(-40)}`)),
    encode: (address) => address ?? '0x',
  },
);

/** Public key of a private transaction manager participant, or a privacy group id: base64 of 32 bytes. */
export const ptmKeyCodec = z.codec(
  z.string().refine(isPtmKey, 'must be base64 of 32 bytes'),
  z.custom<PtmKey>((value) => typeof value === 'string'),
  { decode: (text) => parsePtmKey(text), encode: (key) => key },
);
