import { LookupGroup, type Database } from '@tetrad/db';
import { KEY_COLUMNS, parseKeyRow, type RawKeyRow } from './parse-key-row.js';
import type { StoredKeyRow } from './wallet-rows.js';

const MAX_STATEMENTS = 2;

/** Finds sealed keys by address; look-ups that come together become one statement. Nothing is kept. */
export class KeyLookup {
  private readonly rows: LookupGroup<RawKeyRow>;

  constructor(database: Database) {
    this.rows = new LookupGroup({
      statements: MAX_STATEMENTS,
      // One turn of the event loop lets requests that arrived together share the statement.
      start: setImmediate,
      read: (addresses) => readKeys(database, addresses),
      keyOf: ({ address }) => address,
    });
  }

  /** Fails: WalletStoreError when the row is damaged; the database's error */
  async find(address: Uint8Array): Promise<StoredKeyRow | undefined> {
    const row = await this.rows.find(address);
    return row === undefined ? undefined : parseKeyRow(row);
  }
}

async function readKeys(database: Database, addresses: readonly Buffer[]): Promise<readonly RawKeyRow[]> {
  const { rows } = await database.pool.query<RawKeyRow>({
    name: 'find-keys',
    text: `SELECT ${KEY_COLUMNS} FROM wallet_key WHERE address = ANY($1::bytea[])`,
    values: [addresses],
  });
  return rows;
}
