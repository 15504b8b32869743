import { createBLAKE2b } from 'hash-wasm';

// As with Keccak, one WebAssembly instance per output size serves all callers without a pause between its steps.
const hash32 = await createBLAKE2b(32);
const hash160 = await createBLAKE2b(160);
const hash256 = await createBLAKE2b(256);

/** BLAKE2b without a key and with an output of 4 bytes (RFC 7693): a checksum. */
export function blake2b32(bytes: Uint8Array): Uint8Array {
  hash32.init();
  hash32.update(bytes);
  return hash32.digest('binary');
}

/** BLAKE2b without a key and with an output of 20 bytes. */
export function blake2b160(bytes: Uint8Array): Uint8Array {
  hash160.init();
  hash160.update(bytes);
  return hash160.digest('binary');
}

/** BLAKE2b without a key and with an output of 32 bytes. */
export function blake2b256(bytes: Uint8Array): Uint8Array {
  hash256.init();
  hash256.update(bytes);
  return hash256.digest('binary');
}
