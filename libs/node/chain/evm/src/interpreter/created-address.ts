import { keccak256 } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import { addressToBytes, bytesFromScalar } from '@tetrad/types';
import { addressFromWord, wordFromBytes, wordToBytes, type Word } from '../word/word.js';

/** Address of a contract made by CREATE: the last 20 bytes of keccak256(RLP([creator, nonce])). */
export function addressOfCreation(creator: Word, nonce: bigint): Word {
  const encoded = encodeRlp([addressToBytes(addressFromWord(creator)), bytesFromScalar(nonce)]);
  return wordFromBytes(keccak256(encoded).subarray(12));
}

/**
 * Address of a contract made by CREATE2 (EIP-1014): the last 20 bytes of the keccak256 of
 * 0xff (1) ‖ creator (20) ‖ salt (32) ‖ keccak256 of the init code (32).
 */
export function addressOfSaltedCreation(creator: Word, salt: Word, initCode: Uint8Array): Word {
  const layout = new Uint8Array(85);
  layout[0] = 0xff;
  layout.set(addressToBytes(addressFromWord(creator)), 1);
  layout.set(wordToBytes(salt), 21);
  layout.set(keccak256(initCode), 53);
  return wordFromBytes(keccak256(layout).subarray(12));
}
