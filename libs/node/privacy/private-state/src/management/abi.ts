import { addressFromBytes, addressToBytes, type Address } from '@tetrad/types';

/** The part of Solidity's ABI that management contracts need: addresses, booleans and strings. */

const WORD = 32;

/** A value of a call. A string is a text here. */
export type AbiValue = Address | boolean | { readonly text: string };

/**
 * Encodes arguments, which follow a selector or creation code.
 *
 * Layout: a word for each value, that of a text its offset; then for each text its length (32) ‖ bytes, padded to words
 */
export function encodeArguments(values: readonly AbiValue[]): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = values.length * WORD;
  for (const value of values) {
    if (typeof value === 'object') {
      const tail = encodeText(value.text);
      heads.push(wordOf(offset));
      tails.push(tail);
      offset += tail.length;
    } else {
      heads.push(typeof value === 'boolean' ? wordOf(value ? 1 : 0) : padded(addressToBytes(value)));
    }
  }
  return Buffer.concat([...heads, ...tails]);
}

function encodeText(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([wordOf(bytes.length), bytes, Buffer.alloc(-bytes.length & (WORD - 1))]);
}

function wordOf(value: number): Uint8Array {
  const word = Buffer.alloc(WORD);
  word.writeUInt32BE(value, WORD - 4);
  return word;
}

function padded(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.alloc(WORD - bytes.length), bytes]);
}

/** Reads ABI-encoded values from untrusted data; an invalid value is undefined. */
export class AbiReader {
  private readonly data: Buffer;

  constructor(data: Uint8Array) {
    this.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  }

  address(index: number): Address | undefined {
    const word = this.word(index * WORD);
    if (word === undefined || word.subarray(0, 12).some((byte) => byte !== 0)) return undefined;
    return addressFromBytes(word.subarray(12));
  }

  boolean(index: number): boolean | undefined {
    const value = this.count(index * WORD);
    return value === 0 || value === 1 ? value === 1 : undefined;
  }

  /** @param most - maximum size in bytes; a longer text is undefined */
  text(index: number, most: number): string | undefined {
    const offset = this.count(index * WORD);
    const length = offset === undefined ? undefined : this.count(offset);
    if (offset === undefined || length === undefined || length > most) return undefined;
    const bytes = this.data.subarray(offset + WORD, offset + WORD + length);
    return bytes.length === length ? bytes.toString('utf8') : undefined;
  }

  /** A word as a number of up to four bytes, which no offset and no length here exceeds. */
  private count(offset: number): number | undefined {
    const word = this.word(offset);
    if (word === undefined || word.subarray(0, WORD - 4).some((byte) => byte !== 0)) return undefined;
    return word.readUInt32BE(WORD - 4);
  }

  private word(offset: number): Buffer | undefined {
    const word = this.data.subarray(offset, offset + WORD);
    return word.length === WORD ? word : undefined;
  }
}
