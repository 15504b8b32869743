import { z } from 'zod';

function isUnsignedInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** A JSON integer from 0 to `maximum`. */
export function integerOf(what: string, maximum: number = Number.MAX_SAFE_INTEGER): z.ZodInt {
  return z
    .int({ error: `must be the ${what}: a whole number` })
    .nonnegative()
    .max(maximum);
}

/** A JSON integer on the wire, a bigint inside. */
export const integerCodec = z.codec(z.int().nonnegative(), z.bigint().nonnegative(), {
  decode: (integer) => BigInt(integer),
  encode: (value) => Number(value),
});

/** Hex text with any number of leading zeros, as a JSON integer; anything else unchanged. */
export function integerFromHex(value: unknown): unknown {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,14}$/.test(value)) return value;
  const integer = Number(value);
  return isUnsignedInteger(integer) ? integer : value;
}

/** A JSON integer, also one beyond 2^53 that was read without loss, as hex text; anything else unchanged. */
export function hexFromInteger(value: unknown): unknown {
  if (isUnsignedInteger(value)) return `0x${value.toString(16)}`;
  return typeof value === 'bigint' && value >= 0n ? `0x${value.toString(16)}` : value;
}
