import { keccak256 } from '@tetrad/crypto';
import type { Account, AccountChange } from '@tetrad/node-evm';
import { rlpScalar } from '@tetrad/rlp';
import { hashFromBytes, type Hash } from '@tetrad/types';
import { ChangeSink } from './change-sink.js';
import type { StateChanges } from './state-changes.js';
import { accountKey, bytesOf, slotKey } from './state-keys.js';
import { EMPTY_STORAGE_ROOT, encodeAccount, storedAccount } from './stored-account.js';
import { StoredState } from './stored-state.js';
import type { Trie } from './trie.js';

/** Returns what is awaited before the next piece of long work; undefined to go on at once. */
export type GiveWay = () => Promise<void> | undefined;

interface Commit {
  readonly state: StoredState;
  /** Trie of accounts. */
  readonly trie: Trie;
  readonly sink: ChangeSink;
  /** Awaited between slots and accounts; absent where nothing else may run in between. */
  readonly giveWay?: GiveWay | undefined;
}

/**
 * The difference between a stored state and the one with the changes: the new root and all new nodes below it.
 *
 * Cost: one trie path read and hashed per changed account and slot
 */
export async function commitChanges(
  state: StoredState,
  changes: readonly AccountChange[],
  giveWay?: GiveWay,
): Promise<StateChanges> {
  const commit = { state, trie: state.openTrie(state.root), sink: new ChangeSink(), giveWay };
  for (const change of changes) await commitAccount(commit, change);
  return commit.sink.changes(state.root, commit.trie.commit(commit.sink.addNode));
}

async function commitAccount(commit: Commit, change: AccountChange): Promise<void> {
  const { trie, sink, giveWay } = commit;
  if (giveWay !== undefined) await giveWay();
  const key = accountKey(change.address);
  const hashed = keccak256(bytesOf(key));
  if (change.cleared) sink.clearStorage(key);
  if (change.account === null) {
    sink.setAccount(key, null);
    return trie.delete(hashed);
  }
  const { nonce, balance, codeHash } = change.account;
  const storageRoot = await commitStorage(commit, key, change);
  const account = storedAccount({ nonce, balance: BigInt(balance), codeHash, storageRoot });
  const encoded = encodeAccount(account);
  sink.setAccount(key, { account, encoded });
  if (change.code !== undefined) sink.addCode(codeHash, change.code.bytes);
  if (change.isNew) sink.addPreimage(hashed, key);
  await trie.put(hashed, encoded);
}

/** @returns the root of the account's storage with its changes */
async function commitStorage(commit: Commit, key: string, change: AccountChange): Promise<Hash> {
  const { state, sink, giveWay } = commit;
  const stored = change.isNew ? null : await state.readAccount(key);
  const from = change.cleared || stored === null ? EMPTY_STORAGE_ROOT : stored.storageRoot;
  if (change.slots.length === 0) return from;
  const trie = state.openTrie(from);
  for (const { slot, value, isNew } of change.slots) {
    if (giveWay !== undefined) await giveWay();
    const own = slotKey(slot);
    const hashed = keccak256(bytesOf(own));
    if (isNew) sink.addPreimage(hashed, own);
    if (value === 0) await trie.delete(hashed);
    else await trie.put(hashed, rlpScalar(BigInt(value)));
    sink.setSlot(key + own, value);
  }
  return hashFromBytes(trie.commit(sink.addNode));
}

/**
 * Root of the account's storage in the state that its world is over, with all changes, those of an execution that has not
 * ended too. Nothing is stored.
 *
 * Cost: one trie path read and hashed per changed slot
 */
export async function pendingStorageRoot(account: Account): Promise<Hash> {
  const { source } = account.world;
  if (!(source instanceof StoredState)) throw new TypeError('not an account of a stored state');
  const slots = account.changedSlots.map(({ key, value }) => ({ slot: key, value, isNew: false }));
  const { key, cleared } = account;
  const isNew = account.stored === null;
  const change = { address: key, account: null, cleared, isNew, slots };
  return commitStorage(
    { state: source, trie: source.openTrie(source.root), sink: new ChangeSink() },
    accountKey(key),
    change,
  );
}
