import { z } from 'zod';

/** Wire forms of the coin network: base64 for bytes, decimal text for tokens, JSON integers of 64 bits. */

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes as padded standard base64. */
export const base64Codec = z.codec(
  z.string().regex(BASE64, 'must be base64 with padding'),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  {
    decode: (text) => new Uint8Array(Buffer.from(text, 'base64')),
    encode: (bytes) => Buffer.from(bytes).toString('base64'),
  },
);

/** Decimal text of any size, which may be negative by form. */
export const tokenAmountCodec = z.codec(
  z
    .string()
    .max(310)
    .regex(/^-?[0-9]+$/, 'must be decimal text'),
  z.bigint(),
  { decode: (text) => BigInt(text), encode: (amount) => amount.toString() },
);

const wireInteger = z
  .custom<number | bigint>(
    (value) => typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)),
    'must be a whole number',
  )
  .meta({ type: 'integer' });

function integerBetween(minimum: bigint, maximum: bigint) {
  return z.codec(
    wireInteger,
    z.bigint().refine((value) => value >= minimum && value <= maximum, 'must fit into 64 bits'),
    {
      decode: (wire) => BigInt(wire),
      encode: (value): number | bigint => {
        const small = Number(value);
        return Number.isSafeInteger(small) ? small : value;
      },
    },
  );
}

/** 0 to 2^64 - 1, read and written without loss. */
export const uint64Codec = integerBetween(0n, 2n ** 64n - 1n);
/** -2^63 to 2^63 - 1, read and written without loss. */
export const int64Codec = integerBetween(-(2n ** 63n), 2n ** 63n - 1n);

/** An address in its text form; its own rules are checked where it is parsed, with their exact texts. */
export const addressTextSchema = z.string().max(256);
