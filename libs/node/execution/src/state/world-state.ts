import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import {
  Account,
  KECCAK256_NULL,
  KECCAK256_RLP,
  createAccountFromRLP,
  unpadBytes,
  type Address as EvmAddress,
} from '@ethereumjs/util';
import { keccak256 } from '@tetrad/crypto';
import { hashToBytes, type Hash } from '@tetrad/types';
import { ChangeSink } from './change-sink.js';
import { copyAccount, keyOf } from './state-keys.js';
import { SettledState } from './settled-state.js';
import type { StateChanges } from './state-changes.js';
import type { StateReader } from './state-reader.js';
import { EMPTY_TRIE_ROOT, Trie } from './trie.js';

/** Slots written since the world was opened; `cleared` hides what the base holds. */
interface StorageOverlay {
  readonly cleared: boolean;
  /** Unprefixed slot → value without leading zeros; empty for zero. */
  readonly slots: Map<string, Uint8Array>;
}

const EMPTY = new Uint8Array(0);

/**
 * One view of the state, as the EVM changes it: a journalled overlay over the tries of a root.
 *
 * Nothing reaches the database from here. `commitBlock` gives the next root and everything new below it, which the
 * ledger stores together with the block. Accounts go in and out as copies, because the EVM changes what it gets.
 */
export class WorldState implements StateManagerInterface {
  private readonly accounts = new Map<string, Account | null>();
  private readonly storage = new Map<string, StorageOverlay>();
  private readonly codes = new Map<string, Uint8Array>();
  /** Undoes changes in reverse; checkpoints are positions in it. */
  private readonly undo: (() => void)[] = [];
  private readonly checkpoints: number[] = [];
  private readonly trie: Trie;
  private readonly originals = new Map<string, Uint8Array>();

  constructor(
    private readonly state: StateReader,
    private readonly root: Hash,
  ) {
    this.trie = new Trie(hashToBytes(root), (hash) => state.findNode(hash));
  }

  /** A world with the same changes that can be thrown away; checkpoints are not taken along. */
  copy(): WorldState {
    const copy = new WorldState(this.state, this.root);
    for (const [address, account] of this.accounts) copy.accounts.set(address, account);
    for (const [address, { cleared, slots }] of this.storage) {
      copy.storage.set(address, { cleared, slots: new Map(slots) });
    }
    for (const [hash, code] of this.codes) copy.codes.set(hash, code);
    return copy;
  }

  /**
   * A world in which the changes of this one are part of the tries, so that proofs and dumps see them.
   *
   * Cost: as `commitBlock`; nothing when there are no changes
   */
  async settled(): Promise<WorldState> {
    if (this.accounts.size === 0 && this.storage.size === 0) return this;
    const changes = await this.commitBlock();
    return new WorldState(new SettledState(this.state, changes), changes.stateRoot);
  }

  shallowCopy(): WorldState {
    return this.copy();
  }

  async getAccount(address: EvmAddress): Promise<Account | undefined> {
    const account = await this.peekAccount(address);
    return account === null ? undefined : copyAccount(account);
  }

  async putAccount(address: EvmAddress, account?: Account): Promise<void> {
    if (account === undefined) return this.deleteAccount(address);
    this.setAccount(keyOf(address.bytes), copyAccount(account));
  }

  async deleteAccount(address: EvmAddress): Promise<void> {
    this.setAccount(keyOf(address.bytes), null);
    await this.clearStorage(address);
  }

  async modifyAccountFields(address: EvmAddress, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account();
    account.nonce = fields.nonce ?? account.nonce;
    account.balance = fields.balance ?? account.balance;
    account.storageRoot = fields.storageRoot ?? account.storageRoot;
    account.codeHash = fields.codeHash ?? account.codeHash;
    await this.putAccount(address, account);
  }

  async putCode(address: EvmAddress, code: Uint8Array): Promise<void> {
    const codeHash = code.length === 0 ? KECCAK256_NULL : keccak256(code);
    // Found by its hash, so that there is nothing to undo when the account is reverted.
    if (code.length > 0) this.codes.set(keyOf(codeHash), code);
    await this.modifyAccountFields(address, { codeHash });
  }

  async getCode(address: EvmAddress): Promise<Uint8Array> {
    const account = await this.peekAccount(address);
    if (account === null || !account.isContract()) return EMPTY;
    return this.codes.get(keyOf(account.codeHash)) ?? this.state.readCode(account.codeHash);
  }

  async getCodeSize(address: EvmAddress): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: EvmAddress, slot: Uint8Array): Promise<Uint8Array> {
    const key = keyOf(address.bytes);
    const overlay = this.storage.get(key);
    const written = overlay?.slots.get(keyOf(slot));
    if (written !== undefined) return written;
    return overlay?.cleared === true ? EMPTY : this.baseSlot(key, slot);
  }

  async putStorage(address: EvmAddress, slot: Uint8Array, value: Uint8Array): Promise<void> {
    const key = keyOf(address.bytes);
    const slotKey = keyOf(slot);
    if (!this.originals.has(key + slotKey))
      this.originals.set(key + slotKey, await this.getStorage(address, slot));
    let overlay = this.storage.get(key);
    if (overlay === undefined) {
      overlay = { cleared: false, slots: new Map() };
      this.storage.set(key, overlay);
    }
    const { slots } = overlay;
    const before = slots.get(slotKey);
    slots.set(slotKey, unpadBytes(value));
    this.onRevert(() => (before === undefined ? slots.delete(slotKey) : slots.set(slotKey, before)));
  }

  async clearStorage(address: EvmAddress): Promise<void> {
    const key = keyOf(address.bytes);
    const before = this.storage.get(key);
    this.storage.set(key, { cleared: true, slots: new Map() });
    this.onRevert(() => (before === undefined ? this.storage.delete(key) : this.storage.set(key, before)));
  }

  /** Values from before the transaction, for the gas of SSTORE (EIP-2200). */
  readonly originalStorageCache = {
    get: async (address: EvmAddress, slot: Uint8Array): Promise<Uint8Array> =>
      this.originals.get(keyOf(address.bytes) + keyOf(slot)) ?? this.getStorage(address, slot),
    clear: (): void => this.originals.clear(),
  };

  async checkpoint(): Promise<void> {
    this.checkpoints.push(this.undo.length);
  }

  async commit(): Promise<void> {
    this.checkpoints.pop();
    if (this.checkpoints.length === 0) this.undo.length = 0;
  }

  async revert(): Promise<void> {
    const position = this.checkpoints.pop();
    if (position === undefined) throw new Error('no checkpoint to go back to');
    while (this.undo.length > position) this.undo.pop()?.();
  }

  /**
   * The state after all changes: next root, new nodes, code and preimages. The world stays as it is.
   *
   * Cost: one trie path read and hashed per changed account and slot
   */
  async commitBlock(): Promise<StateChanges> {
    const sink = new ChangeSink();
    for (const [address, overlay] of this.storage) await this.commitStorage(address, overlay, sink);
    const accounts = new Map<string, Account | null>();
    const trie = new Trie(hashToBytes(this.root), (hash) => this.state.findNode(hash));
    for (const [address, account] of this.accounts) {
      const final = sink.withStorageRoot(address, account);
      accounts.set(address, final);
      const key = Buffer.from(address, 'latin1');
      const hashed = keccak256(key);
      if (final === null) {
        await trie.delete(hashed);
      } else {
        if ((await this.baseAccount(address)) === null) sink.addPreimage(hashed, key);
        await trie.put(hashed, final.serialize());
      }
    }
    const stateRoot = trie.commit(sink.addNode);
    return sink.changes({ parentRoot: this.root, stateRoot, codes: this.deployedCodes(accounts), accounts });
  }

  async getStateRoot(): Promise<Uint8Array> {
    const { stateRoot } = await this.commitBlock();
    return Buffer.from(stateRoot.slice(2), 'hex');
  }

  /** A world keeps its root; another root is another world. */
  async setStateRoot(): Promise<void> {
    throw new Error('a world cannot move to another root; open one there');
  }

  async hasStateRoot(root: Uint8Array): Promise<boolean> {
    return (await this.state.findNode(root)) !== undefined;
  }

  clearCaches(): void {
    // Caches belong to the database, which outlives this world.
  }

  /** Trie of the accounts at the base root, without the changes of this world. */
  accountTrie(): Trie {
    return this.trie;
  }

  /** Trie of an account's storage at the base root. */
  storageTrie(root: Uint8Array): Trie {
    return new Trie(root, (hash) => this.state.findNode(hash));
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.state.findPreimage(hash);
  }

  private async peekAccount(address: EvmAddress): Promise<Account | null> {
    const key = keyOf(address.bytes);
    const changed = this.accounts.get(key);
    return changed === undefined ? this.baseAccount(key) : changed;
  }

  private setAccount(key: string, account: Account | null): void {
    const before = this.accounts.get(key);
    this.accounts.set(key, account);
    this.onRevert(() => (before === undefined ? this.accounts.delete(key) : this.accounts.set(key, before)));
  }

  /** Outside of every checkpoint nothing can be reverted, so nothing is kept. */
  private onRevert(undo: () => void): void {
    if (this.checkpoints.length > 0) this.undo.push(undo);
  }

  private async baseAccount(key: string): Promise<Account | null> {
    const cached = this.state.cachedAccount(this.root, key);
    if (cached !== undefined) return cached.account;
    const encoded = await this.trie.get(keccak256(Buffer.from(key, 'latin1')));
    const account = encoded === undefined ? null : createAccountFromRLP(encoded);
    this.state.rememberAccount(this.root, key, account);
    return account;
  }

  private async baseSlot(key: string, slot: Uint8Array): Promise<Uint8Array> {
    const cacheKey = key + keyOf(slot);
    const cached = this.state.cachedSlot(this.root, cacheKey);
    if (cached !== undefined) return cached;
    const account = await this.baseAccount(key);
    const value = account === null ? EMPTY : await this.readSlot(account.storageRoot, slot);
    this.state.rememberSlot(this.root, cacheKey, value);
    return value;
  }

  private async readSlot(storageRoot: Uint8Array, slot: Uint8Array): Promise<Uint8Array> {
    if (Buffer.compare(storageRoot, KECCAK256_RLP) === 0) return EMPTY;
    const encoded = await this.storageTrie(storageRoot).get(keccak256(slot));
    return encoded === undefined ? EMPTY : (RLP.decode(encoded) as Uint8Array);
  }

  /** New code of accounts that are still there; what was reverted or destroyed is not kept. */
  private deployedCodes(accounts: ReadonlyMap<string, Account | null>): Map<string, Uint8Array> {
    const deployed = new Map<string, Uint8Array>();
    if (this.codes.size === 0) return deployed;
    for (const account of accounts.values()) {
      const hash = account === null ? undefined : keyOf(account.codeHash);
      const code = hash === undefined ? undefined : this.codes.get(hash);
      if (hash !== undefined && code !== undefined) deployed.set(hash, code);
    }
    return deployed;
  }

  private async commitStorage(address: string, overlay: StorageOverlay, sink: ChangeSink): Promise<void> {
    const changed = this.accounts.get(address);
    if (changed === null) return sink.clearStorage();
    const base = await this.baseAccount(address);
    if (overlay.cleared) sink.clearStorage();
    const from = overlay.cleared || base === null ? EMPTY_TRIE_ROOT : base.storageRoot;
    const trie = this.storageTrie(from);
    for (const [slotKey, value] of overlay.slots) {
      const slot = Buffer.from(slotKey, 'latin1');
      const hashed = keccak256(slot);
      if (value.length === 0) {
        await trie.delete(hashed);
      } else {
        const isNew = overlay.cleared || (await this.baseSlot(address, slot)).length === 0;
        if (isNew) sink.addPreimage(hashed, slot);
        await trie.put(hashed, RLP.encode(value));
      }
      sink.addSlot(address + slotKey, value);
    }
    sink.setStorageRoot(address, trie.commit(sink.addNode));
    // A storage that changed while its account did not is written through the account all the same.
    if (changed === undefined && base !== null) this.accounts.set(address, base);
  }
}
