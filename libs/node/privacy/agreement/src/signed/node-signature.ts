import {
  InvalidSignatureError,
  decodeSignature65,
  encodeSignature65,
  keccak256,
  recoverPublicKey,
  type SigningKey,
} from '@tetrad/crypto';
import { startsWith } from './fixed-fields.js';

/** Bytes of a signature at the end of a message. */
export const SIGNATURE_BYTES = 65;

/** A message without its signature, and who signed it. */
export interface OpenedMessage {
  readonly message: Uint8Array;
  /** Public key of the node, 128 hex digits. */
  readonly signer: string;
}

/**
 * Layout: message ‖ signature (65): r ‖ s ‖ parity (0 or 1), over keccak256(message)
 *
 * @throws RequestError KEY_UNAVAILABLE when the node key is in a service that does not sign
 */
export async function signMessage(
  message: Uint8Array,
  nodeKey: Pick<SigningKey, 'sign'>,
): Promise<Uint8Array> {
  return Buffer.concat([message, encodeSignature65(await nodeKey.sign(keccak256(message)))]);
}

/**
 * @param mark - that the message begins with; the signature of another one is not looked at, since that costs
 * @returns undefined for another message, and for one that no key has signed
 */
export function openSigned(signed: Uint8Array, mark: Uint8Array): OpenedMessage | undefined {
  if (!startsWith(signed, mark)) return undefined;
  const message = signed.subarray(0, Math.max(0, signed.length - SIGNATURE_BYTES));
  try {
    const signature = decodeSignature65(signed.subarray(message.length));
    const signer = Buffer.from(recoverPublicKey(keccak256(message), signature)).toString('hex');
    return { message, signer };
  } catch (error) {
    if (error instanceof RangeError || error instanceof InvalidSignatureError) return undefined;
    throw error;
  }
}
