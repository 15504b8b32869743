import { FIELD_MODULUS, GROUP_ORDER, decodeWord, modulo } from './field.js';

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/** 512 random bits modulo the modulus, which leaves no bias worth the name. */
function randomBelow(modulus: bigint): bigint {
  const bytes = crypto.getRandomValues(new Uint8Array(64));
  return modulo((decodeWord(bytes) << 256n) | decodeWord(bytes, 32), modulus);
}

/** A secret key, or a randomization factor: 1 to n − 1. */
export function randomScalar(): bigint {
  return randomBelow(GROUP_ORDER - 1n) + 1n;
}

/** A blinding factor: makes the hash of a guessable value a hiding commitment. */
export function randomBlindingFactor(): bigint {
  return randomBelow(FIELD_MODULUS);
}
