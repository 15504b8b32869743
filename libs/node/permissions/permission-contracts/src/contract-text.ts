import { isUtf8 } from 'node:buffer';

/** A lone low surrogate from here on stands for one byte that is not part of UTF-8. */
const ESCAPED_BYTE = 0xdc00;

/**
 * A text of the contracts. They check no text, and an admin may call them with any bytes, so bytes that are not UTF-8
 * become lone surrogates from U+DC80 to U+DCFF: texts differ exactly if their bytes do. Method: PEP 383.
 */
export function textFromBytes(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return decoded(bytes);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    const isValid = length > 0 && isUtf8(bytes.subarray(at, at + length));
    parts.push(
      isValid
        ? decoded(bytes.subarray(at, at + length))
        : String.fromCharCode(ESCAPED_BYTE + (bytes[at] as number)),
    );
    at += isValid ? length : 1;
  }
  return parts.join('');
}

/**
 * The bytes of which `textFromBytes` makes the text.
 * @throws TypeError for a text that it makes of no bytes
 */
export function bytesFromText(text: string): Uint8Array {
  const plain = Buffer.from(text, 'utf8');
  if (plain.toString('utf8') === text) return plain;
  const parts = Array.from(text, (character) => {
    const point = character.codePointAt(0) as number;
    const isEscaped = point >= ESCAPED_BYTE + 0x80 && point <= ESCAPED_BYTE + 0xff;
    return isEscaped ? Buffer.of(point - ESCAPED_BYTE) : Buffer.from(character, 'utf8');
  });
  const bytes = Buffer.concat(parts);
  if (textFromBytes(bytes) !== text) throw new TypeError('the text is not one that contracts can hold');
  return bytes;
}

function decoded(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Length of the sequence that the first byte announces, inside the text; 0 for a byte that begins none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  return at + length <= bytes.length ? length : 0;
}
