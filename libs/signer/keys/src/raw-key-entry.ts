import type { Address } from '@tetrad/types';
import { assertAddress, fingerprintOf, type KeyEntry } from './key-entry.js';
import { oneCaution, othersWhoReadKey } from './read-file.js';
import { keyFromHex, type SigningKey } from './signing-key.js';

export interface RawKeySettings {
  /** What names the entry, where it is not known before the key. */
  readonly name: string | ((key: SigningKey) => string);
  /** 64 hex digits. */
  readonly hex: string;
  /** File that holds them. */
  readonly file: string;
  /** What errors call the digits, which they do not repeat. */
  readonly where: string;
  /** Address that the key must have. */
  readonly expected?: Address;
}

export const PLAIN_TEXT = 'the key is in the file as plain text: for development only';

/**
 * A key in hexadecimal in a configuration file.
 * @throws KeyLoadError; FileError
 */
export async function rawKeyEntry({ name, hex, file, where, expected }: RawKeySettings): Promise<KeyEntry> {
  const key = keyFromHex(hex, where);
  assertAddress(key, expected);
  return {
    name: typeof name === 'string' ? name : name(key),
    fingerprint: fingerprintOf(['raw', hex.trim()]),
    isRemote: false,
    address: key.address,
    caution: oneCaution(PLAIN_TEXT, othersWhoReadKey(file)),
    open: async () => key,
  };
}
