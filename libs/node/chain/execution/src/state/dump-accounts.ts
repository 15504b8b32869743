import { readRlp } from '@tetrad/rlp';
import {
  TetradError,
  addressFromBytes,
  hashFromBytes,
  hexFromBytes,
  type Address,
  type Hash,
} from '@tetrad/types';
import type { AccountDump } from './read-account.js';
import { decodeAccount } from './stored-account.js';
import type { AccountState, WorldState } from './world-state.js';

/** Upper bounds of one answer. */
export interface DumpBounds {
  readonly accounts: number;
  /** Storage slots of all accounts together. */
  readonly slots: number;
  /** Bytes of code of all accounts together. */
  readonly codeBytes: number;
}

export interface DumpOptions {
  /** First hashed address wanted, or where it would be; at most 32 bytes. */
  readonly from: Uint8Array;
  readonly bounds: DumpBounds;
  readonly withCode: boolean;
  readonly withStorage: boolean;
  /** Stops a long dump. */
  readonly signal?: AbortSignal;
}

/** An account with the requested parts; `hashedAddress` is its key in the trie. */
export type ListedAccount = AccountState &
  Partial<Pick<AccountDump, 'code' | 'storage'>> & { readonly hashedAddress: Hash };

export interface StatePage {
  readonly root: Hash;
  /** In the order of hashed addresses; the address is undefined where the preimage is not stored. */
  readonly accounts: readonly { readonly address: Address | undefined; readonly account: ListedAccount }[];
  /** Hashed address of the next account; undefined behind the last. */
  readonly next: Hash | undefined;
}

/** More storage or code than one answer may hold. */
export class StorageTooLargeError extends TetradError {
  override readonly name = 'StorageTooLargeError';
  override readonly code = 'STORAGE_TOO_LARGE';
}

/**
 * Accounts of the state in the order of their hashed addresses.
 *
 * Cost:  reads every account and slot that it gives, and one account more
 *
 * @throws StorageTooLargeError; whatever the signal was aborted with
 */
export async function dumpAccounts(changed: WorldState, options: DumpOptions): Promise<StatePage> {
  const world = await changed.settled();
  const { root } = world;
  const accounts: StatePage['accounts'][number][] = [];
  let { slots: slotsLeft, codeBytes: codeLeft } = options.bounds;
  for await (const { key, value } of world.accountTrie().entries(options.from)) {
    options.signal?.throwIfAborted();
    const hashedAddress = hashFromBytes(key);
    if (accounts.length >= options.bounds.accounts) return { root, accounts, next: hashedAddress };
    const preimage = await world.findPreimage(key);
    const { balance, nonce, codeHash, storageRoot } = decodeAccount(value);
    const state = { balance, nonce, codeHash, storageRoot };
    const storage = options.withStorage ? await readStorage(world, storageRoot, slotsLeft) : undefined;
    slotsLeft -= Object.keys(storage ?? {}).length;
    const code = options.withCode ? await world.readCodeByHash(codeHash) : undefined;
    codeLeft -= code?.length ?? 0;
    if (codeLeft < 0) throw new StorageTooLargeError('the code exceeds the size limit of a response');
    accounts.push({
      address: preimage === undefined ? undefined : addressFromBytes(preimage),
      account: {
        ...state,
        hashedAddress,
        ...(code === undefined ? {} : { code }),
        ...(storage === undefined ? {} : { storage }),
      },
    });
  }
  return { root, accounts, next: undefined };
}

async function readStorage(world: WorldState, root: Hash, most: number): Promise<Record<string, string>> {
  const storage: Record<string, string> = {};
  let slots = 0;
  for await (const { key, value } of world.storageTrie(root).entries()) {
    if (++slots > most) throw new StorageTooLargeError('the storage exceeds the size limit of a response');
    const slot = (await world.findPreimage(key)) ?? key;
    storage[hexFromBytes(slot)] = hexFromBytes(readRlp(value).content).slice(2);
  }
  return storage;
}

export interface StorageRangeOptions {
  /** First hashed slot wanted, or where it would be; at most 32 bytes. */
  readonly from: Uint8Array;
  /** Maximum number of slots in the answer. */
  readonly most: number;
}

/** Slots of one account in the order of their hashes. */
export interface StorageRange {
  /** Hashed slot → slot, null where the preimage is not stored, and value. */
  readonly slots: ReadonlyMap<Hash, { readonly key: Hash | null; readonly value: Hash }>;
  readonly next: Hash | null;
}

/**
 * Cost: reads every slot that it gives, and one more
 *
 * @returns undefined when the account does not exist
 */
export async function readStorageRange(
  changed: WorldState,
  address: Address,
  { from, most }: StorageRangeOptions,
): Promise<StorageRange | undefined> {
  const world = await changed.settled();
  const account = await world.findAccount(address);
  if (account === undefined) return undefined;
  const slots = new Map<Hash, { key: Hash | null; value: Hash }>();
  const trie = world.storageTrie(account.storageRoot);
  for await (const { key, value } of trie.entries(from)) {
    if (slots.size >= most) return { slots, next: hashFromBytes(key) };
    const slot = await world.findPreimage(key);
    const word = Buffer.alloc(32);
    const bytes = readRlp(value).content;
    word.set(bytes, 32 - bytes.length);
    slots.set(hashFromBytes(key), {
      key: slot === undefined ? null : hashFromBytes(slot),
      value: hashFromBytes(word),
    });
  }
  return { slots, next: null };
}
