import {
  addressFromBytes,
  bytesFromHex,
  hexFromBytes,
  parseHash,
  type Address,
  type Hash,
} from '@tetrad/types';
import { z } from 'zod';

/** A string of the interface document without a stated form; bounded so that it can be logged and stored. */
export const textSchema = z.string().max(4096);

/** Decimal text, as account dumps write balances. */
export const decimalCodec = z.codec(
  z.string().regex(/^(?:0|[1-9][0-9]{0,77})$/, 'must be a decimal number'),
  z.bigint(),
  { decode: (text) => BigInt(text), encode: (value) => value.toString() },
);

const BARE_HEX = /^(?:0x)?(?:[0-9a-fA-F]{2})*$/;

function bytesFromBareHex(text: string): Uint8Array {
  return bytesFromHex(text.startsWith('0x') ? text : `0x${text}`);
}

/** Bytes as hex without `0x`, as account dumps write them; `0x` is accepted. */
export const bareHexCodec = z.codec(
  z.string().regex(BARE_HEX, 'must be hex'),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  { decode: bytesFromBareHex, encode: (bytes) => hexFromBytes(bytes).slice(2) },
);

/** A 32-byte hash as hex without `0x`. */
export const bareHashCodec = z.codec(
  z.string().regex(/^(?:0x)?[0-9a-fA-F]{64}$/, 'must be 64 hex digits'),
  z.custom<Hash>((value) => typeof value === 'string'),
  { decode: (text) => parseHash(hexFromBytes(bytesFromBareHex(text))), encode: (hash) => hash.slice(2) },
);

/** A storage slot: up to 32 bytes of hex on the wire, padded to 32 inside. */
export const storageSlotCodec = z.codec(
  z.string().regex(/^0x[0-9a-fA-F]{0,64}$/, 'must be a storage slot: 0x and at most 64 hex digits'),
  z.custom<Hash>((value) => typeof value === 'string'),
  { decode: (text) => parseHash(`0x${text.slice(2).padStart(64, '0')}`), encode: (slot) => slot },
);

/** A slot as a client asked for it, and padded to 32 bytes. */
export interface AskedSlot {
  readonly text: string;
  readonly slot: Hash;
}

/** A storage slot whose text comes back in the answer, by which clients find theirs. */
export const askedSlotCodec = z.codec(
  storageSlotCodec.in,
  z.custom<AskedSlot>((value) => typeof value === 'object' && value !== null && 'slot' in value),
  { decode: (text) => ({ text, slot: storageSlotCodec.decode(text) }), encode: ({ text }) => text },
);

/** Recipient of a transaction request: an address, or nothing (null, `""` and `0x`) for a contract creation. */
export const recipientCodec = z.codec(
  z.string().regex(/^(?:0x(?:[0-9a-fA-F]{40})?)?$/, 'must be an address: 0x and 40 hex digits'),
  z.custom<Address | undefined>((value) => value === undefined || typeof value === 'string'),
  {
    decode: (text) => (text.length === 42 ? addressFromBytes(bytesFromHex(text)) : undefined),
    encode: (address) => address ?? '0x',
  },
);

/** Digest of an encrypted payload: base64 of 64 bytes; hex is read as well. */
export const payloadDigestTextCodec = z.codec(
  z.string().regex(/^(?:[A-Za-z0-9+/]{85}[AQgw]==|0x[0-9a-fA-F]{128})$/, 'must be base64 or hex of 64 bytes'),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  {
    decode: (text) => (text.startsWith('0x') ? bytesFromHex(text) : Buffer.from(text, 'base64')),
    encode: (bytes) => Buffer.from(bytes).toString('base64'),
  },
);
