import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { CoinNetwork } from './address/address-text.js';
import type { KeyKind } from './signature/coin-signature.js';
import { CoinKeyError } from './key-error.js';
import { CoinPrivateKey } from './private-key.js';

export interface PhraseKeyOptions {
  readonly kind: KeyKind;
  /** 12 to 24 English words of BIP-39, the last of which holds the checksum. */
  readonly phrase: string;
  /** BIP-39's "25th word"; none by default. */
  readonly passphrase?: string;
  /** For instance `m/44'/461'/0/0/0`; see `derivationPath` for the usual ones. */
  readonly path: string;
}

/** Highest index of a path; the hardened ones are the same numbers again. */
const MAX_INDEX = 2 ** 31 - 1;
const PATH = /^m(?:\/\d{1,10}'?){1,10}$/;

/** Coin types of SLIP-44: the coin network, test networks, and Ethereum, whose wallets make delegated keys. */
const COIN_TYPE = { main: 461, test: 1, eth: 60 } as const;

/**
 * The path of the field's wallets, `m/44'/461'/0'/0/i`, with coin type 1 for the test network; for delegated keys
 * Ethereum's `m/44'/60'/0'/0/i` on both.
 * @throws CoinKeyError (INVALID_PATH, NOT_DERIVABLE)
 */
export function derivationPath(kind: KeyKind, network: CoinNetwork, index: number): string {
  assertDerivable(kind);
  if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
    throw new CoinKeyError('INVALID_PATH', `index: must be from 0 to ${MAX_INDEX}`);
  }
  return `m/44'/${kind === 'delegated' ? COIN_TYPE.eth : COIN_TYPE[network]}'/0'/0/${index}`;
}

/** A new phrase of 24 words, from the system's randomness. */
export function generatePhrase(): string {
  return generateMnemonic(wordlist, 256);
}

/**
 * The key that a phrase has at a path (BIP-39, BIP-32).
 * @throws CoinKeyError (INVALID_PHRASE, INVALID_PATH, NOT_DERIVABLE), which never repeats a word
 */
export async function keyFromPhrase(options: PhraseKeyOptions): Promise<CoinPrivateKey> {
  assertDerivable(options.kind);
  assertPath(options.path);
  const phrase = options.phrase.trim().toLowerCase().split(/\s+/).join(' ');
  if (!validateMnemonic(phrase, wordlist)) {
    throw new CoinKeyError(
      'INVALID_PHRASE',
      'phrase: must be 12, 15, 18, 21 or 24 words of the English BIP-39 list with a valid checksum',
    );
  }
  const seed = await mnemonicToSeed(phrase, options.passphrase);
  try {
    return deriveKey(options.kind, seed, options.path);
  } finally {
    seed.fill(0);
  }
}

function deriveKey(kind: KeyKind, seed: Uint8Array, path: string): CoinPrivateKey {
  const root = HDKey.fromMasterSeed(seed);
  const node = root.derive(path);
  try {
    if (node.privateKey === null) throw new CoinKeyError('INVALID_PATH', 'path: leads to no private key');
    return CoinPrivateKey.fromBytes(kind, node.privateKey);
  } finally {
    node.wipePrivateData();
    root.wipePrivateData();
  }
}

function assertPath(path: string): void {
  const indexes = path.match(/\d+/g) ?? [];
  if (!PATH.test(path) || indexes.some((index) => Number(index) > MAX_INDEX)) {
    throw new CoinKeyError('INVALID_PATH', "path: must have the form m/44'/461'/0'/0/0");
  }
}

function assertDerivable(kind: KeyKind): void {
  if (kind === 'bls') {
    throw new CoinKeyError(
      'NOT_DERIVABLE',
      'bls keys cannot be made from a phrase: wallets of this network have agreed on no derivation for them',
    );
  }
}
