/**
 * The part of CBOR (RFC 8949) that messages use, in its one canonical form: heads as short as they can be, definite
 * lengths.
 *
 * Layout of a head: major type (3 bits) ‖ argument below 24, or 24..27 and the argument in 1, 2, 4 or 8 bytes.
 */
export const MAJOR = { uint: 0, negative: 1, bytes: 2, array: 4 } as const;

export function encodeHead(major: number, argument: bigint): Uint8Array {
  if (argument < 24n) return Uint8Array.of((major << 5) | Number(argument));
  const size = argument < 0x100n ? 1 : argument < 0x10000n ? 2 : argument < 0x1_0000_0000n ? 4 : 8;
  const head = Buffer.alloc(9);
  head[0] = (major << 5) | (24 + Math.log2(size));
  head.writeBigUInt64BE(argument << BigInt(64 - 8 * size), 1);
  return head.subarray(0, 1 + size);
}

/** An integer from -2^64 to 2^64 - 1. */
export function encodeInteger(value: bigint): Uint8Array {
  return value < 0n ? encodeHead(MAJOR.negative, -1n - value) : encodeHead(MAJOR.uint, value);
}

/** Reads canonical CBOR from front to back; whatever is not of it makes `undefined`. */
export class CborReader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes that are left. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  head(): { readonly major: number; readonly argument: bigint } | undefined {
    const first = this.bytes[this.at];
    if (first === undefined) return undefined;
    const [major, short] = [first >> 5, first & 31];
    if (short < 24) {
      this.at += 1;
      return { major, argument: BigInt(short) };
    }
    const size = 1 << (short - 24);
    if (short > 27 || this.left < 1 + size) return undefined;
    const argument = this.unsigned(this.at + 1, size);
    // The argument would have fitted into a shorter head.
    if (size === 1 ? argument < 24n : argument < 1n << BigInt(4 * size)) return undefined;
    this.at += 1 + size;
    return { major, argument };
  }

  array(length: bigint): true | undefined {
    const head = this.head();
    return head?.major === MAJOR.array && head.argument === length ? true : undefined;
  }

  /** 0 to 2^64 - 1. */
  uint(): bigint | undefined {
    const head = this.head();
    return head?.major === MAJOR.uint ? head.argument : undefined;
  }

  /** -2^63 to 2^63 - 1. */
  int64(): bigint | undefined {
    const head = this.head();
    if (head === undefined || head.argument >= 2n ** 63n) return undefined;
    if (head.major === MAJOR.negative) return -1n - head.argument;
    return head.major === MAJOR.uint ? head.argument : undefined;
  }

  /** A copy of a byte string of at most so many bytes. */
  byteString(limit: number): Uint8Array | undefined {
    const head = this.head();
    if (head?.major !== MAJOR.bytes || head.argument > limit || head.argument > this.left) return undefined;
    const from = this.at;
    this.at += Number(head.argument);
    return Uint8Array.from(this.bytes.subarray(from, this.at));
  }

  private unsigned(at: number, size: number): bigint {
    if (size === 8) return this.view.getBigUint64(at);
    if (size === 4) return BigInt(this.view.getUint32(at));
    return BigInt(size === 2 ? this.view.getUint16(at) : this.view.getUint8(at));
  }
}
