import { asBuffer } from '@tetrad/db';
import type { StoredFlatEntry, FlatWrite } from './flat-state-rows.js';

/** Bytes of an address, with which all keys begin. */
const ADDRESS_LENGTH = 20;

interface ChangedEntry {
  readonly key: Uint8Array;
  /** null when it was removed. */
  readonly value: Uint8Array | null;
}

/** The changes under one address. */
interface AddressChanges {
  /** Whether everything under the address was removed before the entries were put. */
  isCleared: boolean;
  /** Entries by their keys. */
  readonly entries: Map<string, ChangedEntry>;
}

/** Changes of consecutive blocks to the flat state, of which the last one of a key counts. */
export class FlatOverlay {
  private readonly addresses = new Map<string, AddressChanges>();

  apply({ cleared, removed, put }: Pick<FlatWrite, 'cleared' | 'removed' | 'put'>): void {
    for (const prefix of cleared) {
      const changes = this.under(textOf(prefix));
      changes.isCleared = true;
      changes.entries.clear();
    }
    for (const key of removed) this.set({ key, value: null });
    for (const entry of put) this.set(entry);
  }

  /** null: the key was removed; undefined: it was not changed. */
  find(key: Uint8Array): Uint8Array | null | undefined {
    const text = textOf(key);
    const changes = this.addresses.get(text.slice(0, ADDRESS_LENGTH));
    const entry = changes?.entries.get(text);
    return entry === undefined && changes?.isCleared === true ? null : entry?.value;
  }

  /** All changes, each key once. */
  changes(): Pick<FlatWrite, 'cleared' | 'removed' | 'put'> {
    const [cleared, removed, put]: [Uint8Array[], Uint8Array[], StoredFlatEntry[]] = [[], [], []];
    for (const [address, { isCleared, entries }] of this.addresses) {
      if (isCleared) cleared.push(bytesOf(address));
      for (const { key, value } of entries.values()) {
        if (value !== null) put.push({ key, value });
        else if (!isCleared) removed.push(key);
      }
    }
    return { cleared, removed, put };
  }

  private set(entry: ChangedEntry): void {
    const text = textOf(entry.key);
    this.under(text.slice(0, ADDRESS_LENGTH)).entries.set(text, entry);
  }

  private under(address: string): AddressChanges {
    const known = this.addresses.get(address);
    if (known !== undefined) return known;
    const changes: AddressChanges = { isCleared: false, entries: new Map() };
    this.addresses.set(address, changes);
    return changes;
  }
}

/** The changes from the state before the first write to that after the last; undefined when there are none. */
export function mergeFlatWrites(writes: readonly FlatWrite[]): FlatWrite | undefined {
  const [first, ...more] = writes;
  const last = writes.at(-1);
  if (first === undefined || last === undefined || more.length === 0) return first;
  const overlay = new FlatOverlay();
  for (const write of writes) if (write.parentRoot !== write.stateRoot) overlay.apply(write);
  return { parentRoot: first.parentRoot, stateRoot: last.stateRoot, ...overlay.changes() };
}

/** One character per byte. */
export function textOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1');
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
