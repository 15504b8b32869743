import type { Brand } from './brand.js';
import { brandedBytes, hexFromBytes, type Hex } from './hex.js';

/** A 20-byte account address as lower-case `0x` text, so that it can be compared and used as a key. */
export type Address = Brand<Hex, 'Address'>;

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Whether the text is an address in any letter case; the EIP-55 checksum is not looked at. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/**
 * The address that the text spells.
 * @throws TypeError when it is not `0x` and 40 hex digits
 */
export function parseAddress(text: string): Address {
  if (!isAddress(text)) throw new TypeError(`not a 20-byte 0x address: ${text.slice(0, 80)}`);
  return text.toLowerCase() as Address;
}

/**
 * The address in 20 bytes.
 * @throws TypeError on another length
 */
export function addressFromBytes(bytes: Uint8Array): Address {
  if (bytes.length !== 20) throw new TypeError(`an address has 20 bytes, not ${bytes.length}`);
  return hexFromBytes(bytes) as Address;
}

/**
 * The 20 bytes of the address.
 * @throws TypeError on text that is not an address
 */
export function addressToBytes(address: Address): Uint8Array {
  return brandedBytes(address, 20);
}

export const ZERO_ADDRESS = parseAddress(`0x${'00'.repeat(20)}`);
