import { keccak256 } from '@tetrad/crypto';
import { LookupGroup, type Database } from '@tetrad/db';
import { LedgerStoreError } from './ledger-store-error.js';

/** A table whose rows are keyed by the Keccak-256 of their content. */
export interface HashedTable {
  readonly name: `${'' | 'private_'}${'trie_node' | 'code' | 'preimage'}`;
  readonly column: 'encoded' | 'code' | 'value';
}

/** Trie nodes, codes and preimages of one state. */
export interface StateTables {
  readonly nodes: HashedTable;
  readonly codes: HashedTable;
  readonly preimages: HashedTable;
}

export const PUBLIC_STATE: StateTables = {
  nodes: { name: 'trie_node', column: 'encoded' },
  codes: { name: 'code', column: 'code' },
  preimages: { name: 'preimage', column: 'value' },
};

export const PRIVATE_STATE: StateTables = {
  nodes: { name: 'private_trie_node', column: 'encoded' },
  codes: { name: 'private_code', column: 'code' },
  preimages: { name: 'private_preimage', column: 'value' },
};

interface HashedRow {
  readonly hash: Buffer;
  readonly bytes: Buffer;
}

const MAX_STATEMENTS = 4;

/** Finds rows by hash; concurrent look-ups become one statement. */
export class BatchedLookup {
  private readonly rows: LookupGroup<HashedRow>;

  constructor(
    database: Database,
    private readonly table: HashedTable,
  ) {
    this.rows = new LookupGroup({
      statements: MAX_STATEMENTS,
      // Without delay: execution waits for one look-up before it makes the next.
      start: queueMicrotask,
      read: (hashes) => readRows(database, table, hashes),
      keyOf: ({ hash }) => hash,
    });
  }

  /**
   * The content under the hash; undefined when it is not stored.
   *
   * Fails: LedgerStoreError when the row does not match its hash: the database is damaged
   */
  async find(hash: Uint8Array): Promise<Uint8Array | undefined> {
    const row = await this.rows.find(hash);
    if (row === undefined || Buffer.compare(keccak256(row.bytes), hash) === 0) return row?.bytes;
    throw new LedgerStoreError(`${this.table.name} ${Buffer.from(hash).toString('hex')} is damaged`);
  }
}

async function readRows(
  database: Database,
  { name, column }: HashedTable,
  hashes: readonly Buffer[],
): Promise<readonly HashedRow[]> {
  const { rows } = await database.pool.query<HashedRow>({
    name: `find-${name}`,
    text: `SELECT hash, ${column} AS bytes FROM ${name} WHERE hash = ANY($1::bytea[])`,
    values: [hashes],
  });
  return rows;
}
