import { keccak256 } from './keccak.js';

/**
 * What eth_sign signs for a message; the prefix keeps it from being a transaction.
 *
 * Layout: keccak-256 of 0x19 ‖ "Ethereum Signed Message:" ‖ 0x0a ‖ length of the message in decimal digits ‖ message
 * Source: interface document, eth_sign (EIP-191, version 0x45)
 */
export function personalMessageDigest(message: Uint8Array): Uint8Array {
  return keccak256(personalMessagePreimage(message));
}

export function personalMessagePreimage(message: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${message.length}`, 'latin1'), message]);
}
