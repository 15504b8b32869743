import type { Account } from '@ethereumjs/util';
import { hashFromBytes, type Hash } from '@tetrad/types';
import type { StateChanges } from './state-changes.js';
import { copyAccount, keyOf } from './state-keys.js';

/** Gathers what a block changed while the tries are hashed. */
export class ChangeSink {
  private readonly nodes = new Map<string, { hash: Uint8Array; encoded: Uint8Array }>();
  private readonly preimages: { hash: Uint8Array; value: Uint8Array }[] = [];
  private readonly storageRoots = new Map<string, Uint8Array>();
  private readonly slots = new Map<string, Uint8Array>();
  private cleared = false;

  readonly addNode = (hash: Uint8Array, encoded: Uint8Array): void => {
    this.nodes.set(keyOf(hash), { hash, encoded });
  };

  addPreimage(hash: Uint8Array, value: Uint8Array): void {
    this.preimages.push({ hash, value });
  }

  addSlot(key: string, value: Uint8Array): void {
    this.slots.set(key, value);
  }

  clearStorage(): void {
    this.cleared = true;
  }

  setStorageRoot(address: string, root: Uint8Array): void {
    this.storageRoots.set(address, root);
  }

  withStorageRoot(address: string, account: Account | null): Account | null {
    const root = this.storageRoots.get(address);
    if (account === null || root === undefined) return account;
    const changed = copyAccount(account);
    changed.storageRoot = root;
    return changed;
  }

  changes(parts: {
    parentRoot: Hash;
    stateRoot: Uint8Array;
    codes: ReadonlyMap<string, Uint8Array>;
    accounts: ReadonlyMap<string, Account | null>;
  }): StateChanges {
    return {
      parentRoot: parts.parentRoot,
      stateRoot: hashFromBytes(parts.stateRoot),
      nodes: [...this.nodes.values()],
      codes: [...parts.codes].map(([hash, code]) => ({ hash: Buffer.from(hash, 'latin1'), code })),
      preimages: this.preimages,
      touched: { accounts: parts.accounts, slots: this.slots, clearedStorage: this.cleared },
    };
  }
}
