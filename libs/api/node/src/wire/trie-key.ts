import { bytesFromHex } from '@tetrad/types';
import { z } from 'zod';

const HEX = /^0x(?:[0-9a-fA-F]{2}){0,32}$/;
const PROBLEM = 'must be at most 32 bytes, in hex with 0x or in base64';

/** The beginning of a hashed key of a trie: base64, as geth's pages name the next one, or hex. */
export const trieKeyCodec = z.codec(
  z
    .string()
    .max(66, PROBLEM)
    .regex(/^(?:0x(?:[0-9a-fA-F]{2}){0,32}|[A-Za-z0-9+/]{0,43}={0,2})$/, { error: PROBLEM, abort: true })
    .refine((text) => bytesOf(text).length <= 32, PROBLEM),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  { decode: bytesOf, encode: (bytes) => Buffer.from(bytes).toString('base64') },
);

/** Base64 may begin with `0x` too; what is hex to its end is read as hex. */
function bytesOf(text: string): Uint8Array {
  return HEX.test(text) ? bytesFromHex(text) : Buffer.from(text, 'base64');
}
