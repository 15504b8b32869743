import type { Word } from '@tetrad/node-evm';
import { hashFromBytes, type Hash } from '@tetrad/types';
import type { ChangedAccount, StateChanges } from './state-changes.js';
import { bytesOf, keyOf } from './state-keys.js';

/** Gathers what a block changed while the tries are hashed. */
export class ChangeSink {
  private readonly nodes = new Map<string, { hash: Uint8Array; encoded: Uint8Array }>();
  private readonly codes = new Map<Hash, Uint8Array>();
  private readonly preimages: { hash: Uint8Array; value: Uint8Array }[] = [];
  private readonly accounts = new Map<string, ChangedAccount | null>();
  private readonly slots = new Map<string, Word>();
  private readonly cleared = new Set<string>();

  readonly addNode = (hash: Uint8Array, encoded: Uint8Array): void => {
    this.nodes.set(keyOf(hash), { hash, encoded });
  };

  addCode(hash: Hash, code: Uint8Array): void {
    this.codes.set(hash, code);
  }

  addPreimage(hash: Uint8Array, key: string): void {
    this.preimages.push({ hash, value: bytesOf(key) });
  }

  setAccount(key: string, changed: ChangedAccount | null): void {
    this.accounts.set(key, changed);
  }

  setSlot(key: string, value: Word): void {
    this.slots.set(key, value);
  }

  clearStorage(key: string): void {
    this.cleared.add(key);
  }

  changes(parentRoot: Hash, stateRoot: Uint8Array): StateChanges {
    const { accounts, slots, cleared } = this;
    return {
      parentRoot,
      stateRoot: hashFromBytes(stateRoot),
      nodes: [...this.nodes.values()],
      codes: [...this.codes].map(([hash, code]) => ({ hash: Buffer.from(hash.slice(2), 'hex'), code })),
      preimages: this.preimages,
      touched: { accounts, slots, cleared },
    };
  }
}
