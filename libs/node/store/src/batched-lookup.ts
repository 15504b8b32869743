import { keccak256 } from '@tetrad/crypto';
import { LookupGroup, type Database } from '@tetrad/db';
import { LedgerStoreError } from './ledger-store-error.js';

/** A table whose rows are keyed by the Keccak-256 of their content. */
export interface HashedTable {
  readonly name: `${'' | 'private_'}${'trie_node' | 'code' | 'preimage'}` | 'trie_node_b';
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

/** Trie nodes of the public state go to one of these at a time (docs/adr/0174). */
export const NODE_TABLES: readonly [HashedTable, HashedTable] = [
  PUBLIC_STATE.nodes,
  { name: 'trie_node_b', column: 'encoded' },
];

/** The tables of the public state as `chain.state_table` has them. */
export function publicState(stateTable: number | null): StateTables {
  return { ...PUBLIC_STATE, nodes: stateTable === 1 ? NODE_TABLES[1] : NODE_TABLES[0] };
}

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

  /** In: more — a second table that has some of the rows; undefined while it is unused */
  constructor(
    database: Database,
    private readonly table: HashedTable,
    more: () => HashedTable | undefined = () => undefined,
  ) {
    this.rows = new LookupGroup({
      statements: MAX_STATEMENTS,
      // Without delay: execution waits for one look-up before it makes the next.
      start: queueMicrotask,
      read: (hashes) => readRows(database, [table, more()], hashes),
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
  [table, more]: readonly [HashedTable, HashedTable | undefined],
  hashes: readonly Buffer[],
): Promise<readonly HashedRow[]> {
  const selectFrom = ({ name, column }: HashedTable) =>
    `SELECT hash, ${column} AS bytes FROM ${name} WHERE hash = ANY($1::bytea[])`;
  const tables = more === undefined ? [table] : [table, more];
  const { rows } = await database.pool.query<HashedRow>({
    name: `find-${tables.map(({ name }) => name).join('-')}`,
    text: tables.map(selectFrom).join(' UNION ALL '),
    values: [hashes],
  });
  return rows;
}
