/** Text of the form `0x` followed by hex digits; lower case wherever this code base made it. */
export type Hex = `0x${string}`;

const EVEN_HEX = /^0x(?:[0-9a-f]{2})*$/i;

/** Whether the text is `0x` and whole bytes of hex. */
export function isHex(text: string): text is Hex {
  return EVEN_HEX.test(text);
}

/** Lower-case `0x` text of the bytes. */
export function hexFromBytes(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/**
 * The bytes of `0x` text.
 * @throws TypeError when the text is not whole bytes of hex
 */
export function bytesFromHex(text: string): Uint8Array {
  if (!isHex(text)) throw new TypeError(`not 0x-prefixed hex of whole bytes: ${text.slice(0, 80)}`);
  return Buffer.from(text.slice(2), 'hex');
}

/** Big-endian bytes without leading zeros, as RLP writes a scalar; zero is empty. */
export function bytesFromScalar(value: bigint | number): Uint8Array {
  if (value === 0n || value === 0) return new Uint8Array(0);
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** The scalar that big-endian bytes spell; empty is zero. */
export function scalarFromBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(hexFromBytes(bytes));
}
