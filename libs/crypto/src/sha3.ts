import { createHash } from 'node:crypto';

/** SHA3-512 in 64 bytes, as the private transaction manager names payloads. */
export function sha3_512(bytes: Uint8Array): Uint8Array {
  return createHash('sha3-512').update(bytes).digest();
}
