import type { FlatEntry } from '@tetrad/node-execution';
import type { StateRepair } from '@tetrad/node-store';

/** Changes of the flat state that are stored together. */
export class FlatChanges {
  private readonly cleared: Uint8Array[] = [];
  private readonly removed: Uint8Array[] = [];
  private readonly flat: FlatEntry[] = [];

  /** Rows that are changed, about. */
  get size(): number {
    return this.cleared.length + this.removed.length + this.flat.length;
  }

  get rows(): Pick<StateRepair, 'cleared' | 'removed' | 'flat'> {
    const { cleared, removed, flat } = this;
    return { cleared, removed, flat };
  }

  /** All rows of the address go. */
  clear(address: Uint8Array): void {
    this.cleared.push(address);
  }

  remove(key: Uint8Array): void {
    this.removed.push(key);
  }

  put(entries: readonly FlatEntry[]): void {
    for (const entry of entries) this.flat.push(entry);
  }
}
