import { bytesFromHex, hexFromBytes, parseAddress, parseHash, type Address, type Hash } from '@tetrad/types';
import { z } from 'zod';

/** Wire codecs of the Ethereum execution API: text on the wire, branded values and bigints inside. */

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const HASH = /^0x[0-9a-fA-F]{64}$/;
const DATA = /^0x(?:[0-9a-fA-F]{2})*$/;
const QUANTITY = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/;

export const addressCodec = z.codec(
  z.string().regex(ADDRESS, 'must be an address: 0x and 40 hex digits'),
  z.custom<Address>((value) => typeof value === 'string'),
  { decode: (text) => parseAddress(text), encode: (address) => address },
);

export const hashCodec = z.codec(
  z.string().regex(HASH, 'must be a hash: 0x and 64 hex digits'),
  z.custom<Hash>((value) => typeof value === 'string'),
  { decode: (text) => parseHash(text), encode: (hash) => hash },
);

/** Bytes as `0x` and an even number of hex digits. */
export const dataCodec = z.codec(
  z.string().regex(DATA, 'must be data: 0x and an even number of hex digits'),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  { decode: (text) => bytesFromHex(text), encode: (bytes) => hexFromBytes(bytes) },
);

/** An unsigned integer of up to 256 bits as `0x` and hex digits without leading zeros. */
export const quantityCodec = z.codec(
  z.string().regex(QUANTITY, 'must be a quantity: 0x and hex digits without leading zeros, at most 256 bits'),
  z.bigint(),
  { decode: (text) => BigInt(text), encode: (value) => `0x${value.toString(16)}` },
);

/** An unsigned integer of up to 64 bits. */
export const uint64Codec = boundedQuantity(2n ** 64n - 1n, 'must be below 2^64');

/** A nonce; the highest is one less than the maximum of 64 bits (EIP-2681). */
export const nonceCodec = boundedQuantity(2n ** 64n - 2n, 'must be below 2^64-1');

function boundedQuantity(most: bigint, problem: string) {
  return z.codec(
    z
      .string()
      .regex(QUANTITY, { error: 'must be a quantity: 0x and hex digits without leading zeros', abort: true })
      .refine((text) => BigInt(text) <= most, problem),
    z.bigint(),
    { decode: (text) => BigInt(text), encode: (value) => `0x${value.toString(16)}` },
  );
}

/** A count or index: a quantity on the wire, a safe integer inside. */
export const indexCodec = z.codec(
  z
    .string()
    .regex(QUANTITY, { error: 'must be a quantity: 0x and hex digits without leading zeros', abort: true })
    .refine((text) => BigInt(text) <= BigInt(Number.MAX_SAFE_INTEGER), 'must be below 2^53'),
  z.int().nonnegative(),
  { decode: (text) => Number(text), encode: (value) => `0x${value.toString(16)}` },
);
