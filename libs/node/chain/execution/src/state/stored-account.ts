import type { AccountRecord } from '@tetrad/node-evm';
import { bytesFromScalar, hashFromBytes, hashToBytes, scalarFromBytes, type Hash } from '@tetrad/types';
import { encodeRlp, readRlp, readRlpList } from '@tetrad/rlp';
import { EMPTY_TRIE_ROOT } from './trie.js';

/** Root of the storage of an account without any. */
export const EMPTY_STORAGE_ROOT = hashFromBytes(EMPTY_TRIE_ROOT);

/** An account as the trie of accounts holds it. */
export interface StoredAccount extends AccountRecord {
  readonly storageRoot: Hash;
}

/** Derives `hasStorage` from the storage root. */
export function storedAccount(fields: Omit<StoredAccount, 'hasStorage'>): StoredAccount {
  const { nonce, balance, codeHash, storageRoot } = fields;
  return { nonce, balance, codeHash, storageRoot, hasStorage: storageRoot !== EMPTY_STORAGE_ROOT };
}

const ACCOUNT_FIELDS = 4;

/** RLP([nonce, balance, root of the storage (32), hash of the code (32)]). Source: Yellow Paper, section 4.1 */
export function encodeAccount({ nonce, balance, storageRoot, codeHash }: StoredAccount): Uint8Array {
  return encodeRlp([
    bytesFromScalar(nonce),
    bytesFromScalar(balance),
    hashToBytes(storageRoot),
    hashToBytes(codeHash),
  ]);
}

/**
 * Reads an account of a trie.
 * @throws Error when the bytes are not one
 */
export function decodeAccount(encoded: Uint8Array): StoredAccount {
  const fields = readRlpList(readRlp(encoded), ACCOUNT_FIELDS).map(({ content }) => content);
  const [nonce, balance, storageRoot, codeHash] = fields;
  if (nonce === undefined || balance === undefined || storageRoot === undefined || codeHash === undefined)
    throw new Error(`an account has ${ACCOUNT_FIELDS} fields, not ${fields.length}`);
  return storedAccount({
    nonce: scalarFromBytes(nonce),
    balance: scalarFromBytes(balance),
    storageRoot: hashFromBytes(storageRoot),
    codeHash: hashFromBytes(codeHash),
  });
}
