import type { Database } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { vault } from '../generated/tables.js';

const READ = `SELECT ${columnsOf(vault, ['keysVersion'])} FROM ${vault.table} WHERE ${vault.columns.id} = 1`;

/** The number of changes that led to the set of addresses; 0 in a new database. */
export async function readVersion({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<SqlRow<typeof vault, 'keysVersion'>>({
    name: 'read-version',
    text: READ,
  });
  return Number(rows[0]?.keysVersion ?? 0);
}
