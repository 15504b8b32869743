import { wordToBytes, type Word } from '@tetrad/node-evm';

/** Bytes as a map key: one character a byte, shorter and faster than hex. */
export function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** The bytes of a key. */
export function bytesOf(key: string): Uint8Array {
  return Buffer.from(key, 'latin1');
}

/** Key of an account: its address (20). */
export function accountKey(address: Word): string {
  return keyOf(wordToBytes(address).subarray(12));
}

/** Key of a slot within its account (32). Among the slots of all accounts it comes behind the account's key. */
export function slotKey(slot: Word): string {
  return keyOf(wordToBytes(slot));
}
