import { connectDatabase, isDatabaseUnavailable, type Database } from '@tetrad/db';
import type pg from 'pg';
import type { DumpRow } from './dump/dump-row.js';
import { ImportRefusedError } from './import-refused-error.js';
import { TESSERA_TABLES, recordOf, type TesseraRecord } from './tessera-tables.js';

/** Rows, and bytes of them, that one statement reads; one row whatever its bytes. */
const PAGE = { rows: 500, bytes: 8 * 1_048_576 };

/** A table as the server has it. */
interface FoundTable {
  /** Quoted, with its schema. */
  readonly name: string;
  /** Name in lower case → quoted. */
  readonly columns: ReadonlyMap<string, string>;
}

/** A Tessera's PostgreSQL database. */
export interface TesseraDatabase {
  /**
   * All records, in the order of their hashes; what is stored meanwhile is left out.
   * @throws ImportRefusedError
   */
  records(): AsyncGenerator<TesseraRecord>;
  close(): Promise<void>;
}

/**
 * Connects to the database of a Tessera, which is only read.
 * @throws DatabaseUnavailableError
 */
export async function openTesseraDatabase(url: string): Promise<TesseraDatabase> {
  const database = await connectDatabase({ url, poolSize: 1 });
  return { records: () => readAll(database), close: () => database.close() };
}

async function* readAll(database: Database): AsyncGenerator<TesseraRecord> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = await findTables(client);
    if (!tables.has('encrypted_transaction'))
      throw new ImportRefusedError('the database has no table encrypted_transaction');
    for (const [table, found] of tables) yield* readTable(client, table, found);
    await client.query('COMMIT');
  } catch (error) {
    throw isDatabaseUnavailable(error)
      ? new ImportRefusedError('the connection to the database was lost', { cause: error })
      : error;
  } finally {
    // A connection within a transaction is not used again.
    client.release(true);
  }
}

async function findTables(client: pg.ClientBase): Promise<Map<string, FoundTable>> {
  const { rows } = await client.query<{ key: string; name: string; column: string; quoted: string }>(
    `SELECT lower(table_name) AS key, quote_ident(table_schema) || '.' || quote_ident(table_name) AS name,
            lower(column_name) AS column, quote_ident(column_name) AS quoted
       FROM information_schema.columns
      WHERE table_schema = ANY(current_schemas(false)) AND lower(table_name) = ANY($1) ORDER BY 1, 2, 3`,
    [[...TESSERA_TABLES.keys()]],
  );
  const tables = new Map<string, { name: string; columns: Map<string, string> }>();
  for (const { key, name, column, quoted } of rows) {
    const table = tables.get(key) ?? { name, columns: new Map<string, string>() };
    if (table.name !== name) throw new ImportRefusedError(`there are two tables ${table.name} and ${name}`);
    table.columns.set(column, quoted);
    tables.set(key, table);
  }
  return tables;
}

async function* readTable(
  client: pg.ClientBase,
  table: string,
  { name, columns }: FoundTable,
): AsyncGenerator<TesseraRecord> {
  const kept = (TESSERA_TABLES.get(table) ?? []).filter((column) => columns.has(column));
  const key = columns.get(kept[0] ?? '');
  if (key === undefined) throw new ImportRefusedError(`table ${table} has no column ${kept[0] ?? 'hash'}`);
  const selected = kept.map((column) => `${columns.get(column)} AS "${column}"`).join(', ');
  const large = ['encoded_payload', 'encrypted_payload', 'data'].find((column) => columns.has(column));
  const size = `octet_length(${columns.get(large ?? '') ?? key})`;
  const text = `SELECT ${kept.map((column) => `"${column}"`).join(', ')} FROM (
      SELECT ${selected}, sum(${size}) OVER (ORDER BY ${key}) AS page_total, ${size} AS page_size
        FROM ${name} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${PAGE.rows}) AS page
     WHERE page_total <= ${PAGE.bytes} OR page_total = page_size ORDER BY "${kept[0]}"`;
  let after: unknown = Buffer.alloc(0);
  for (let row = 0; ;) {
    const { rows } = await client.query<Record<string, unknown>>(text, [after]);
    if (rows.length === 0) return;
    for (const values of rows) yield recordOf(rowOf({ table, row: (row += 1) }, values));
    after = rows.at(-1)?.[kept[0] ?? ''];
  }
}

function rowOf(at: Pick<DumpRow, 'table' | 'row'>, values: Readonly<Record<string, unknown>>): DumpRow {
  const where = (column: string) => `row ${at.row} of ${at.table}: ${column}`;
  return {
    ...at,
    bytes(column) {
      const value = values[column] ?? undefined;
      if (value === undefined || Buffer.isBuffer(value)) return value;
      throw new ImportRefusedError(`${where(column)}: is not bytes`);
    },
    text(column) {
      const value = values[column] ?? undefined;
      if (value === undefined || typeof value === 'string') return value;
      throw new ImportRefusedError(`${where(column)}: is not text`);
    },
  };
}
