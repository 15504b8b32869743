import { LookupGroup, type Database } from '@tetrad/db';
import { findKeys, type VersionedKey } from './hot/find-keys.js';
import { parseKeyRow } from './parse-key-row.js';
import type { StoredKey } from './wallet-rows.js';

const MAX_STATEMENTS = 2;

/** Finds sealed keys by address; look-ups that come together become one statement. Nothing is kept. */
export class KeyLookup {
  private readonly rows: LookupGroup<VersionedKey>;

  constructor(database: Database) {
    this.rows = new LookupGroup({
      statements: MAX_STATEMENTS,
      // One turn of the event loop lets requests that arrived together share the statement.
      start: setImmediate,
      read: (addresses) => findKeys(database, addresses),
      keyOf: ({ address }) => address,
    });
  }

  /**
   * @param address - protocol byte and payload
   * @throws WalletStoreError when the row is damaged; the database's error
   */
  async find(address: Uint8Array): Promise<StoredKey | undefined> {
    const row = await this.rows.find(address);
    return row === undefined ? undefined : { ...parseKeyRow(row), version: row.version };
  }

  /** Whether there is a key, damaged or not. */
  async has(address: Uint8Array): Promise<boolean> {
    return (await this.rows.find(address)) !== undefined;
  }
}
