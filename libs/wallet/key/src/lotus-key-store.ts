import { base32nopad } from '@scure/base';
import { CoinKeyError } from './key-error.js';
import { importKey } from './key-file.js';
import type { CoinPrivateKey } from './private-key.js';

/** The content of a file of a lotus key store, according to its name. */
export type LotusEntry =
  | { readonly what: 'wallet' | 'trash'; readonly name: string; readonly address: string }
  | { readonly what: 'default' | 'other'; readonly name: string };

/** Permissions that a file must have, exactly. */
const PERMISSIONS = 0o600;
const PERMISSION_BITS = 0o777;

/**
 * The file name of an entry in the folder `keystore`: upper-case base32 of the entry's name, without padding.
 *
 * Entries are called `wallet-<address>`, `trash-<address>` (deleted), `default` (a copy), `auth-jwt-private`.
 */
export function lotusFileName(entry: string): string {
  return base32nopad.encode(Buffer.from(entry, 'utf8'));
}

/** The entry that a file name encodes, undefined when lotus would not name a file like this. */
export function parseLotusFileName(fileName: string): LotusEntry | undefined {
  let name: string;
  try {
    name = Buffer.from(base32nopad.decode(fileName)).toString('utf8');
  } catch {
    return undefined;
  }
  if (name === 'default') return { what: 'default', name };
  const [, what, address] = /^(wallet|trash)-([ft][0-9a-z]{2,115})$/.exec(name) ?? [];
  if (address === undefined) return { what: 'other', name };
  return { what: what === 'wallet' ? 'wallet' : 'trash', name, address };
}

/**
 * The key in a file of the folder.
 * @param mode - the file's, as `fs.stat` gives it
 * @throws CoinKeyError when others may read the file, or when it holds no key
 */
export function parseLotusFile(entry: string, mode: number, text: string): CoinPrivateKey {
  const permissions = mode & PERMISSION_BITS;
  if (permissions !== PERMISSIONS) {
    const [required, actual] = [PERMISSIONS, permissions].map(
      (bits) => `0${bits.toString(8).padStart(3, '0')}`,
    );
    throw new CoinKeyError(
      'MALFORMED_KEY_FILE',
      `permissions of key: '${entry}' are too relaxed, required: ${required}, got: ${actual}`,
    );
  }
  return importKey(text, { format: 'json-lotus' });
}
