import { hashFromBytes, type Hash } from '@tetrad/types';
import { createKeccak } from 'hash-wasm';

// One WebAssembly instance serves all callers: init, update and digest run without a pause between them.
const hasher = await createKeccak(256);

/** Keccak-256 in 32 bytes, as Ethereum uses it (not SHA3-256). */
export function keccak256(bytes: Uint8Array): Uint8Array {
  hasher.init();
  hasher.update(bytes);
  return hasher.digest('binary');
}

/** Keccak-256 as a hash that can be compared and used as a key. */
export function keccakHash(bytes: Uint8Array): Hash {
  return hashFromBytes(keccak256(bytes));
}

/** Keccak-256 of no bytes: the code hash of an account without code. */
export const EMPTY_KECCAK = keccakHash(new Uint8Array(0));
