import type { Database } from '@tetrad/db';
import { KEY_COLUMNS, parseKeyRow, type RawKeyRow } from './parse-key-row.js';
import type { StoredKeyRow } from './wallet-rows.js';

interface Asked {
  readonly done: (found: StoredKeyRow | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Statements under way at a time; what is asked meanwhile gathers for the next. */
const MAX_STATEMENTS = 2;

/** Finds sealed keys by address; look-ups that come together become one statement. Nothing is kept. */
export class KeyLookup {
  private asked = new Map<string, Asked[]>();
  private statements = 0;
  private scheduled = false;

  constructor(private readonly database: Database) {}

  /** Fails: WalletStoreError when the row is damaged; the database's error */
  find(address: Uint8Array): Promise<StoredKeyRow | undefined> {
    return new Promise((done, fail) => {
      const key = Buffer.from(address).toString('latin1');
      const same = this.asked.get(key);
      if (same === undefined) this.asked.set(key, [{ done, fail }]);
      else same.push({ done, fail });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.asked.size === 0 || this.statements === MAX_STATEMENTS) return;
    this.scheduled = true;
    // One turn of the event loop lets requests that arrived together share the statement.
    setImmediate(() => {
      this.scheduled = false;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    const asked = this.asked;
    this.asked = new Map();
    this.statements += 1;
    try {
      const rows = await this.read([...asked.keys()]);
      for (const [key, waiting] of asked) settle(waiting, rows.get(key));
    } catch (error) {
      for (const waiting of asked.values()) for (const { fail } of waiting) fail(error);
    } finally {
      this.statements -= 1;
      this.schedule();
    }
  }

  private async read(keys: readonly string[]): Promise<Map<string, RawKeyRow>> {
    const { rows } = await this.database.pool.query<RawKeyRow>({
      name: 'find-keys',
      text: `SELECT ${KEY_COLUMNS} FROM wallet_key WHERE address = ANY($1::bytea[])`,
      values: [keys.map((key) => Buffer.from(key, 'latin1'))],
    });
    return new Map(rows.map((row) => [row.address.toString('latin1'), row]));
  }
}

/** One damaged row fails those who asked for it, and nobody else. */
function settle(waiting: readonly Asked[], row: RawKeyRow | undefined): void {
  try {
    const parsed = row === undefined ? undefined : parseKeyRow(row);
    for (const { done } of waiting) done(parsed);
  } catch (error) {
    for (const { fail } of waiting) fail(error);
  }
}
