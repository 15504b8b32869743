import { keccak256 } from '@tetrad/crypto';
import type { Database } from '@tetrad/db';
import { LedgerStoreError } from './ledger-store-error.js';

/** A table whose rows are named by the Keccak-256 of their content. */
export interface HashedTable {
  readonly name: 'trie_node' | 'code' | 'preimage';
  readonly column: string;
}

interface Asked {
  readonly hash: Uint8Array;
  readonly done: (found: Uint8Array | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Statements under way at a time; what is asked meanwhile gathers for the next. */
const MAX_STATEMENTS = 4;

/** Finds rows by hash; look-ups that come together become one statement. */
export class BatchedLookup {
  /** By hash, so that a row that several ask for is read once. */
  private asked = new Map<string, Asked[]>();
  private statements = 0;
  private scheduled = false;

  constructor(
    private readonly database: Database,
    private readonly table: HashedTable,
  ) {}

  /**
   * The content under the hash; undefined when there is none.
   *
   * Fails: LedgerStoreError when the row is not what its hash says: the database is damaged
   */
  find(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return new Promise((done, fail) => {
      const key = keyOf(hash);
      const same = this.asked.get(key);
      if (same === undefined) this.asked.set(key, [{ hash, done, fail }]);
      else same.push({ hash, done, fail });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.scheduled || this.asked.size === 0 || this.statements === MAX_STATEMENTS) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    const asked = this.asked;
    this.asked = new Map();
    this.statements += 1;
    try {
      const found = await this.read([...asked.keys()]);
      for (const [key, waiting] of asked) {
        const bytes = found.get(key);
        for (const one of waiting) this.settle(one, bytes);
      }
    } catch (error) {
      for (const waiting of asked.values()) for (const { fail } of waiting) fail(error);
    } finally {
      this.statements -= 1;
      this.schedule();
    }
  }

  private async read(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const { rows } = await this.database.pool.query<{ hash: Buffer; bytes: Buffer }>({
      name: `find-${this.table.name}`,
      text: `SELECT hash, ${this.table.column} AS bytes FROM ${this.table.name} WHERE hash = ANY($1::bytea[])`,
      values: [keys.map((key) => Buffer.from(key, 'latin1'))],
    });
    return new Map(rows.map(({ hash, bytes }) => [keyOf(hash), bytes]));
  }

  private settle({ hash, done, fail }: Asked, bytes: Uint8Array | undefined): void {
    if (bytes === undefined || Buffer.compare(keccak256(bytes), hash) === 0) return done(bytes);
    fail(new LedgerStoreError(`${this.table.name} ${Buffer.from(hash).toString('hex')} is damaged`));
  }
}

/** Bytes as a map key: one character a byte. */
function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1');
}
