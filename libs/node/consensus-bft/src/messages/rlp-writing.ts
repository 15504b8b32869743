import { RLP } from '@ethereumjs/rlp';
import { bytesFromScalar, hashToBytes, type Hash } from '@tetrad/types';

/** An RLP list of items that are encoded already, so that a block is copied and not encoded again. */
export function rlpList(items: readonly Uint8Array[]): Uint8Array {
  const length = items.reduce((sum, item) => sum + item.length, 0);
  const digits = bytesFromScalar(length);
  const prefix = length <= 55 ? Uint8Array.of(0xc0 + length) : Uint8Array.of(0xf7 + digits.length, ...digits);
  return Buffer.concat([prefix, ...items]);
}

export function rlpBytes(bytes: Uint8Array): Uint8Array {
  return RLP.encode(bytes);
}

export function rlpScalar(value: number): Uint8Array {
  return RLP.encode(bytesFromScalar(value));
}

export function rlpHash(hash: Hash): Uint8Array {
  return RLP.encode(hashToBytes(hash));
}

export const EMPTY_LIST = Uint8Array.of(0xc0);
