import { EMPTY_KECCAK, keccak256, keccakHash } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import {
  bytesFromHex,
  bytesFromScalar,
  hashToBytes,
  hexFromBytes,
  parseAddress,
  type Hash,
} from '@tetrad/types';
import { addressFromWord, toWord, wordFromAddress, wordToBytes, type Word } from '../word/word.js';
import type { AccountRecord, Missing, StateSource } from './state-source.js';
import { trieRoot } from './trie-root.js';
import type { AccountChange } from './world.js';

/** Accounts as published tests give them; absent members are zero or empty. */
export type PreState = Readonly<
  Record<
    string,
    {
      readonly balance?: string;
      readonly nonce?: string;
      readonly code?: string;
      readonly storage?: Readonly<Record<string, string>>;
    }
  >
>;

interface StoredAccount {
  nonce: bigint;
  balance: bigint;
  codeHash: Hash;
  readonly slots: Map<Word, Word>;
}

/** A stored state in memory, from which everything, or only what was fetched before, is answered at once. */
export class MemorySource implements StateSource {
  fetches = 0;
  readonly accounts = new Map<Word, StoredAccount>();
  private readonly codes = new Map<Hash, Uint8Array>();
  private readonly fetched = new Set<string>();

  constructor(
    pre: PreState,
    /** Whether everything must be fetched first. */
    private readonly cold = false,
  ) {
    for (const [address, { balance = '0x0', nonce = '0x0', code = '0x', storage = {} }] of Object.entries(
      pre,
    )) {
      const bytes = bytesFromHex(code);
      const codeHash = bytes.length === 0 ? EMPTY_KECCAK : keccakHash(bytes);
      this.codes.set(codeHash, bytes);
      const slots = new Map<Word, Word>();
      for (const [slot, value] of Object.entries(storage)) {
        if (BigInt(value) !== 0n) slots.set(toWord(BigInt(slot)), toWord(BigInt(value)));
      }
      const account = { nonce: BigInt(nonce), balance: BigInt(balance), codeHash, slots };
      this.accounts.set(wordFromAddress(parseAddress(address)), account);
    }
  }

  account(address: Word): AccountRecord | null | undefined {
    if (this.isMissing(`account ${address}`)) return undefined;
    const account = this.accounts.get(address);
    return account === undefined ? null : { ...account, hasStorage: account.slots.size > 0 };
  }

  slot(address: Word, slot: Word): Word | undefined {
    if (this.isMissing(`slot ${address} ${slot}`)) return undefined;
    return this.accounts.get(address)?.slots.get(slot) ?? 0;
  }

  code(hash: Hash): Uint8Array | undefined {
    return this.isMissing(`code ${hash}`) ? undefined : this.codes.get(hash);
  }

  async fetch(missing: readonly Missing[]): Promise<void> {
    this.fetches++;
    for (const item of missing) {
      if (item.kind === 'account') this.fetched.add(`account ${item.address}`);
      else if (item.kind === 'slot') this.fetched.add(`slot ${item.address} ${item.slot}`);
      else if (item.kind === 'code') this.fetched.add(`code ${item.hash}`);
    }
  }

  /** Stores what a world changed. */
  apply(changes: readonly AccountChange[]): void {
    for (const { address, account, code, cleared, slots } of changes) {
      if (account === null) {
        this.accounts.delete(address);
        continue;
      }
      const { nonce, balance, codeHash } = account;
      const kept = cleared ? undefined : this.accounts.get(address)?.slots;
      const stored = { nonce, balance: BigInt(balance), codeHash, slots: kept ?? new Map<Word, Word>() };
      for (const { slot, value } of slots) {
        if (value === 0) stored.slots.delete(slot);
        else stored.slots.set(slot, value);
      }
      this.accounts.set(address, stored);
      if (code !== undefined) this.codes.set(codeHash, code.bytes);
    }
  }

  /** Creates an empty account, as a block reward of zero does. */
  touch(address: Word): void {
    if (this.accounts.has(address)) return;
    this.accounts.set(address, { nonce: 0n, balance: 0n, codeHash: EMPTY_KECCAK, slots: new Map() });
  }

  remove(address: Word): void {
    this.accounts.delete(address);
  }

  /** Root of the storage of an account, with slots on top that are not stored. */
  storageRoot(address: Word, pending: readonly { readonly slot: Word; readonly value: Word }[] = []): string {
    const slots = new Map(this.accounts.get(address)?.slots);
    for (const { slot, value } of pending) {
      if (value === 0) slots.delete(slot);
      else slots.set(slot, value);
    }
    return hexFromBytes(storageRoot(slots));
  }

  get root(): string {
    const entries = new Map<string, Uint8Array>();
    for (const [address, { nonce, balance, codeHash, slots }] of this.accounts) {
      const key = keccak256(bytesFromHex(addressFromWord(address)));
      const fields = [
        bytesFromScalar(nonce),
        bytesFromScalar(balance),
        storageRoot(slots),
        hashToBytes(codeHash),
      ];
      entries.set(Buffer.from(key).toString('hex'), encodeRlp(fields));
    }
    return hexFromBytes(trieRoot(entries));
  }

  private isMissing(what: string): boolean {
    return this.cold && !this.fetched.has(what);
  }
}

function storageRoot(slots: ReadonlyMap<Word, Word>): Uint8Array {
  const entries = new Map<string, Uint8Array>();
  for (const [slot, value] of slots) {
    const key = Buffer.from(keccak256(wordToBytes(slot))).toString('hex');
    entries.set(key, encodeRlp(bytesFromScalar(value)));
  }
  return trieRoot(entries);
}
