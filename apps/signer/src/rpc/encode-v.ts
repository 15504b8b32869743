import { encodeSignature65, type RecoverableSignature } from '@tetrad/crypto';

/** Layout: r (32) ‖ s (32) ‖ v (1), v = 27 + parity. */
export function encodeV(signature: RecoverableSignature): Uint8Array {
  const bytes = encodeSignature65(signature);
  bytes[64] = 27 + signature.parity;
  return bytes;
}
