import { keccak256 } from '@tetrad/crypto';
import { wordFromBytes, type Missing, type StateSource, type Word } from '@tetrad/node-evm';
import { readRlp } from '@tetrad/rlp';
import { hashToBytes, type Hash } from '@tetrad/types';
import { accountKey, bytesOf, slotKey } from './state-keys.js';
import type { StateReader } from './state-reader.js';
import { EMPTY_STORAGE_ROOT, decodeAccount, type StoredAccount } from './stored-account.js';
import { Trie } from './trie.js';

/** Paths of tries that are read side by side. */
const READ_TOGETHER = 256;

const NOTHING = new Uint8Array(0);

/**
 * The state at a root for a world: entries in memory are returned at once, others after they were fetched.
 *
 * Fetched entries stay as long as this object, which lives as long as the world; the caches below may drop them.
 */
export class StoredState implements StateSource {
  private readonly accounts = new Map<string, StoredAccount | null>();
  private readonly slots = new Map<string, Word>();
  private readonly codes = new Map<Hash, Uint8Array>();
  private readonly trie: Trie;

  constructor(
    readonly reader: StateReader,
    readonly root: Hash,
  ) {
    this.trie = this.openTrie(root);
  }

  account(address: Word): StoredAccount | null | undefined {
    const key = accountKey(address);
    const cached = this.reader.cachedAccount(this.root, key);
    return cached === undefined ? this.accounts.get(key) : cached;
  }

  slot(address: Word, slot: Word): Word | undefined {
    const key = accountKey(address) + slotKey(slot);
    return this.reader.cachedSlot(this.root, key) ?? this.slots.get(key);
  }

  code(hash: Hash): Uint8Array | undefined {
    return this.reader.cachedCode(hash) ?? this.codes.get(hash);
  }

  async fetch(missing: readonly Missing[]): Promise<void> {
    for (let from = 0; from < missing.length; from += READ_TOGETHER)
      await Promise.all(missing.slice(from, from + READ_TOGETHER).map((item) => this.fetchOne(item)));
  }

  /** The account, or null when it does not exist. Kept by the caches only. */
  async readAccount(key: string): Promise<StoredAccount | null> {
    const cached = this.reader.cachedAccount(this.root, key);
    if (cached !== undefined) return cached;
    const flat = await this.reader.findFlat(this.root, key);
    const encoded = flat === undefined ? await this.trie.get(keccak256(bytesOf(key))) : flat;
    const account = encoded === undefined || encoded === null ? null : decodeAccount(encoded);
    this.reader.rememberAccount(this.root, key, account);
    return account;
  }

  /** The value in the slot. Kept by the caches only. */
  async readSlot(account: string, slot: string): Promise<Word> {
    const cached = this.reader.cachedSlot(this.root, account + slot);
    if (cached !== undefined) return cached;
    const flat = await this.reader.findFlat(this.root, account + slot);
    const value = flat === undefined ? await this.walkToSlot(account, slot) : wordFromBytes(flat ?? NOTHING);
    this.reader.rememberSlot(this.root, account + slot, value);
    return value;
  }

  /** A new trie without changes. */
  openTrie(root: Hash): Trie {
    const { reader } = this;
    return new Trie(hashToBytes(root), (hash) => reader.cachedNode(hash) ?? reader.findNode(hash));
  }

  private async walkToSlot(account: string, slot: string): Promise<Word> {
    const { storageRoot = EMPTY_STORAGE_ROOT } = (await this.readAccount(account)) ?? {};
    const encoded = await this.openTrie(storageRoot).get(keccak256(bytesOf(slot)));
    return encoded === undefined ? 0 : wordFromBytes(readRlp(encoded).content);
  }

  private async fetchOne(item: Missing): Promise<void> {
    if (item.kind === 'account') {
      const key = accountKey(item.address);
      this.accounts.set(key, await this.readAccount(key));
    } else if (item.kind === 'slot') {
      const [account, slot] = [accountKey(item.address), slotKey(item.slot)];
      this.slots.set(account + slot, await this.readSlot(account, slot));
    } else if (item.kind === 'code') {
      this.codes.set(item.hash, await this.reader.readCode(item.hash));
    }
  }
}
