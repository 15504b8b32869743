import { FramingError, readJson } from '@tetrad/rpc';
import type { KeyKind } from './signature/coin-signature.js';
import { CoinKeyError } from './key-error.js';
import { isGfcKeyInfo, keyFromGfcKeyInfo, keyFromKeyInfo, keyInfoJson } from './key-info.js';
import { CoinPrivateKey } from './private-key.js';

/** Forms of key files, by the names that the field's command line gives them. */
export const IMPORT_FORMATS = ['hex-lotus', 'json-lotus', 'gfc-json', 'hex-eth'] as const;
export type KeyFormat = (typeof IMPORT_FORMATS)[number];
export const EXPORT_FORMATS = ['hex-lotus', 'json-lotus', 'hex-eth'] as const;

export interface ImportOptions {
  /** By default `hex-lotus`. */
  readonly format?: string;
  /** The kind of a `hex-eth` key, whose text names none. */
  readonly kind?: KeyKind | undefined;
}

/** Longest text of a key file. */
const MAX_TEXT = 4096;
const MAX_DEPTH = 8;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const HEX_KEY = /^(?:0x)?[0-9a-f]{64}$/i;

/**
 * The form that a text has: hex of JSON begins with 7b, and 32 bytes of anything else in hex are an Ethereum key.
 *
 * @param text of a key file
 * @throws CoinKeyError when it begins as JSON and cannot be parsed
 */
export function detectFormat(text: string): KeyFormat {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return isGfcKeyInfo(parseJson(trimmed)) ? 'gfc-json' : 'json-lotus';
  return HEX_KEY.test(trimmed) ? 'hex-eth' : 'hex-lotus';
}

/**
 * Reads the text of a key file; spaces and line ends around it are dropped.
 *
 * Layout:
 *   hex-lotus   hex of json-lotus
 *   json-lotus  {"Type":"secp256k1" | "bls" | "delegated" | 1 | 2 | 3, "PrivateKey":"<base64 of 32 bytes>"}
 *   gfc-json    {"KeyInfo":[{"PrivateKey":"<base64 of 32 bytes>","SigType":1 | 2}]}
 *   hex-eth     32 bytes in hex, with or without 0x; secp256k1 and delegated keys look alike, so the kind must be given
 *
 * Names of members are read in any letter case, each once; Venus writes `sigType` for `Type`.
 *
 * @throws CoinKeyError, in the words of lotus where it has any; the message never repeats the text
 */
export function importKey(text: string, { format = 'hex-lotus', kind }: ImportOptions = {}): CoinPrivateKey {
  const trimmed = text.trim();
  if (trimmed.length > MAX_TEXT) throw malformed(`a key file has at most ${MAX_TEXT} characters`);
  switch (format) {
    case 'hex-lotus':
      return keyFromKeyInfo(parseJson(parseHex(trimmed).toString('utf8')));
    case 'json-lotus':
      return keyFromKeyInfo(parseJson(trimmed));
    case 'gfc-json':
      return keyFromGfcKeyInfo(parseJson(trimmed));
    case 'hex-eth':
      return importEthKey(trimmed, kind);
    default:
      throw unrecognized(format);
  }
}

/**
 * The text of a key file.
 * @throws CoinKeyError for a bls key as `hex-eth`
 */
export function exportKey(key: CoinPrivateKey, format: string = 'hex-lotus'): string {
  switch (format) {
    case 'hex-lotus':
      return Buffer.from(keyInfoJson(key), 'utf8').toString('hex');
    case 'json-lotus':
      return keyInfoJson(key);
    case 'hex-eth':
      if (key.kind === 'bls') throw new CoinKeyError('UNSUPPORTED_KEY_TYPE', 'unsupported key type: bls');
      return key.use((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
    default:
      throw unrecognized(format);
  }
}

function importEthKey(text: string, kind: KeyKind | undefined): CoinPrivateKey {
  if (kind === undefined) {
    throw new CoinKeyError(
      'UNSUPPORTED_KEY_TYPE',
      'bare hex names no key type: say which one, secp256k1 (f1…) or delegated (f410f…)',
    );
  }
  if (kind === 'bls') throw new CoinKeyError('UNSUPPORTED_KEY_TYPE', 'unsupported key type: bls');
  const bytes = parseHex(text.replace(/^0x/i, ''));
  try {
    return CoinPrivateKey.fromBytes(kind, bytes);
  } finally {
    bytes.fill(0);
  }
}

function parseHex(text: string): Buffer {
  if (!HEX.test(text)) throw malformed('the key file must be hex of whole bytes');
  return Buffer.from(text, 'hex');
}

function parseJson(text: string): unknown {
  if (text.length > MAX_TEXT) throw malformed(`a key file has at most ${MAX_TEXT} characters`);
  try {
    return readJson(text, MAX_DEPTH);
  } catch (error) {
    // The reader's own message repeats some of the text.
    const isJson = error instanceof FramingError && error.code === 'INVALID_REQUEST';
    throw malformed(
      isJson ? 'the key file gives a member twice, or nests too deep' : 'the key file must hold JSON',
    );
  }
}

function unrecognized(format: string): CoinKeyError {
  return new CoinKeyError('MALFORMED_KEY_FILE', `unrecognized format: ${format.slice(0, 20)}`);
}

function malformed(message: string): CoinKeyError {
  return new CoinKeyError('MALFORMED_KEY_FILE', message);
}
