import { parsePtmKey, type PtmKey } from '@tetrad/types';

/** Bytes of a transaction manager's key. */
export const KEY_BYTES = 32;

/** Reads fields of known sizes, one after the other. */
export class FixedFields {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  /** @throws RangeError when the message ends before */
  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError('the message is too short');
    return Uint8Array.from(this.bytes.subarray(this.at, (this.at += length)));
  }

  bigint(length: number): bigint {
    return BigInt(`0x${Buffer.from(this.take(length)).toString('hex')}`);
  }

  /**
   * A number of 8 bytes.
   * @throws RangeError when it is not a safe integer
   */
  number(): number {
    const value = Number(this.bigint(8));
    if (!Number.isSafeInteger(value)) throw new RangeError('a number is too large');
    return value;
  }

  key(): PtmKey {
    return parsePtmKey(Buffer.from(this.take(KEY_BYTES)).toString('base64'));
  }
}

/**
 * Big-endian.
 * @param value - that fits into the length
 */
export function fixed(value: bigint | number, length: number): Uint8Array {
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex');
}

export function keyBytes(key: PtmKey): Uint8Array {
  return Buffer.from(key, 'base64');
}

/** Whether the message begins with the mark. */
export function startsWith(message: Uint8Array, mark: Uint8Array): boolean {
  return Buffer.from(message.subarray(0, mark.length)).equals(mark);
}
