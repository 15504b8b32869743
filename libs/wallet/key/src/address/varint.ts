/** Unsigned LEB128 as the coin network allows it: at most 63 bits in at most 9 bytes, without a spare zero byte. */
export interface Varint {
  readonly value: bigint;
  /** Bytes read. */
  readonly length: number;
}

const MAX_VARINT_BYTES = 9;

/**
 * Layout: groups of 7 bits, lowest first; the top bit of a byte says that another follows.
 * @param value - less than 2^63
 */
export function encodeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** The varint at the start of the bytes, or undefined when they do not start with one of this form. */
export function decodeVarint(bytes: Uint8Array): Varint | undefined {
  let value = 0n;
  for (let index = 0; index < MAX_VARINT_BYTES; index++) {
    const byte = bytes[index];
    if (byte === undefined) return undefined;
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return byte === 0 && index > 0 ? undefined : { value, length: index + 1 };
  }
  return undefined;
}
