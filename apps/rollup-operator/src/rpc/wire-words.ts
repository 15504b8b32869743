import { decodeWord, encodeWord } from '@tetrad/rollup-crypto';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';

/** Field elements on the wire are hashes of 32 bytes, or bytes. */

export function hashOfWord(word: bigint): Hash {
  return hashFromBytes(encodeWord(word));
}

export function wordOfHash(hash: Hash): bigint {
  return decodeWord(hashToBytes(hash));
}
