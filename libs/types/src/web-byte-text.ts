/** As `byte-text.ts`, which package.json has bundlers replace by this for browsers: they have no Buffer. */

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export const encodeHex = (bytes: Uint8Array): string => {
  let digits = '';
  for (const byte of bytes) digits += DIGITS[byte];
  return digits;
};

export const decodeHex = (digits: string): Uint8Array => {
  const valid = /^(?:[0-9a-f]{2})*/i.exec(digits)?.[0] ?? '';
  return Uint8Array.from({ length: valid.length / 2 }, (_, at) =>
    Number.parseInt(valid.slice(2 * at, 2 * at + 2), 16),
  );
};
