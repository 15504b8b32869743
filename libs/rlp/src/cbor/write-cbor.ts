/**
 * The parts of CBOR (RFC 8949) that our messages have: integers, byte and text strings, arrays and maps of definite
 * lengths.
 *
 * Layout of a head: major type (3 bits) ‖ argument below 24, or 24..27 and the argument in 1, 2, 4 or 8 bytes.
 */
export const MAJOR = { uint: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5 } as const;

/**
 * The head in its shortest form.
 * @param argument - 0 to 2^64 - 1
 */
export function encodeHead(major: number, argument: bigint): Uint8Array {
  if (argument < 24n) return Uint8Array.of((major << 5) | Number(argument));
  const size = argument < 0x100n ? 1 : argument < 0x10000n ? 2 : argument < 0x1_0000_0000n ? 4 : 8;
  const head = Buffer.alloc(9);
  head[0] = (major << 5) | (24 + Math.log2(size));
  head.writeBigUInt64BE(argument << BigInt(64 - 8 * size), 1);
  return head.subarray(0, 1 + size);
}

/** An integer from -2^64 to 2^64 - 1. */
export function cborInteger(value: bigint): Uint8Array {
  return value < 0n ? encodeHead(MAJOR.negative, -1n - value) : encodeHead(MAJOR.uint, value);
}

export function cborBytes(content: Uint8Array): Uint8Array {
  return Buffer.concat([encodeHead(MAJOR.bytes, BigInt(content.length)), content]);
}

export function cborText(text: string): Uint8Array {
  const content = Buffer.from(text);
  return Buffer.concat([encodeHead(MAJOR.text, BigInt(content.length)), content]);
}

/** @param items - encoded */
export function cborArray(items: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([encodeHead(MAJOR.array, BigInt(items.length)), ...items]);
}

/**
 * The entries in the order given.
 * @param entries - names, and encoded values
 */
export function cborMap(entries: readonly (readonly [name: string, value: Uint8Array])[]): Uint8Array {
  const items = entries.flatMap(([name, value]) => [cborText(name), value]);
  return Buffer.concat([encodeHead(MAJOR.map, BigInt(entries.length)), ...items]);
}
