import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

export const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a secret becomes: ciphertext ‖ tag (16), under a random nonce (12). */
export interface SealedBytes {
  readonly nonce: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Encrypts under a nonce from the system's randomness, and authenticates the context with it. */
export function sealBytes(key: KeyObject, plain: Uint8Array, context: Uint8Array): SealedBytes {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(context);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { nonce, sealed };
}

/** The plain bytes in a new buffer; undefined when key, context or bytes are not those of the sealing. */
export function openBytes(
  key: KeyObject,
  { nonce, sealed }: SealedBytes,
  context: Uint8Array,
): Uint8Array | undefined {
  if (nonce.length !== NONCE_BYTES || sealed.length < TAG_BYTES) return undefined;
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(context)
    .setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(0, end));
  try {
    decipher.final();
    return plain;
  } catch {
    plain.fill(0);
    return undefined;
  }
}
