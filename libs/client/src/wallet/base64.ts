import { bytesToHex, hexToBytes, type ByteArray, type Hex } from 'viem';

/** Bytes as a wallet's JSON has them: padded base64. */
export function toBase64(data: ByteArray | Hex): string {
  const bytes = typeof data === 'string' ? hexToBytes(data) : data;
  let characters = '';
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}

/** The bytes of padded base64. */
export function fromBase64(text: string): Hex {
  return bytesToHex(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}
