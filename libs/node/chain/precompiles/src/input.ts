/** A view of `length` bytes of the input from an offset; bytes beyond the end are zero. */
export function padded(input: Uint8Array, offset: number, length: number): Uint8Array {
  const end = offset + length;
  if (input.length >= end) return input.subarray(offset, end);
  const bytes = new Uint8Array(length);
  bytes.set(input.subarray(Math.min(offset, input.length)));
  return bytes;
}

/** Whether the bytes of the range are all zero. */
export function isZero(input: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (input[at] !== 0) return false;
  return true;
}

/** The 32 bytes of a boolean as the EVM writes it. */
export function wordOfBoolean(value: boolean): Uint8Array {
  const word = new Uint8Array(32);
  word[31] = value ? 1 : 0;
  return word;
}
