import { LRUCache } from 'lru-cache';
import type { KeyLookup } from './key-lookup.js';
import type { StoredKey } from './wallet-rows.js';

const MAX_ROWS = 10_000;
/** Far below the time in which PostgreSQL could give the same number to another transaction. */
const KEPT_MS = 60_000;
const CLOCK_STEP_MS = 1_000;

/**
 * A cache of key rows as they are in the database: sealed.
 *
 * A cached row may be out of date. Users of a row pass its version to `AuditJournal.appendUse`, which refuses a record
 * for a key whose row has changed; without a record no signature of the key is released.
 */
export class SealedKeys {
  private readonly kept = new LRUCache<string, StoredKey>({
    max: MAX_ROWS,
    ttl: KEPT_MS,
    ttlResolution: CLOCK_STEP_MS,
  });

  constructor(private readonly lookup: Pick<KeyLookup, 'find'>) {}

  /** @throws as `WalletStore.findKey` */
  async find(address: Uint8Array): Promise<StoredKey | undefined> {
    const key = keyOf(address);
    const kept = this.kept.get(key);
    if (kept !== undefined) return kept;
    const row = await this.lookup.find(address);
    if (row !== undefined) this.kept.set(key, row);
    return row;
  }

  /** The next one to ask gets what the database holds. */
  forget(address: Uint8Array): void {
    this.kept.delete(keyOf(address));
  }
}

function keyOf(address: Uint8Array): string {
  return Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString('latin1');
}
