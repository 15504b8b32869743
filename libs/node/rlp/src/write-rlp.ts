import { bytesFromScalar, hashToBytes, type Hash } from '@tetrad/types';

/** Content up to here has its length in the prefix. */
const SHORT = 55;

export const EMPTY_LIST = Uint8Array.of(0xc0);

/** An RLP list of items that are encoded already, so that a block is copied and not encoded again. */
export function rlpList(items: readonly Uint8Array[]): Uint8Array {
  const length = items.reduce((sum, item) => sum + item.length, 0);
  return Buffer.concat([prefixOf(length, 0xc0), ...items]);
}

/** An RLP string. */
export function rlpBytes(bytes: Uint8Array): Uint8Array {
  const [first = 0x80] = bytes;
  if (bytes.length === 1 && first < 0x80) return bytes;
  return Buffer.concat([prefixOf(bytes.length, 0x80), bytes]);
}

export function rlpScalar(value: bigint | number): Uint8Array {
  return rlpBytes(bytesFromScalar(value));
}

export function rlpHash(hash: Hash): Uint8Array {
  return rlpBytes(hashToBytes(hash));
}

/** Bytes in front of a string or list with so many bytes of content. */
export function rlpPrefixLength(content: number): number {
  return prefixOf(content, 0).length;
}

function prefixOf(length: number, offset: number): Uint8Array {
  if (length <= SHORT) return Uint8Array.of(offset + length);
  const digits = bytesFromScalar(length);
  return Uint8Array.of(offset + SHORT + digits.length, ...digits);
}
