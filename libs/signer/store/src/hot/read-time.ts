import type pg from 'pg';

/** The time by the clock of the database, which all replicas share. */
export async function readTime(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>({ name: 'read-time', text: 'SELECT now() AS now' });
  const [row] = rows;
  if (row === undefined) throw new Error('the database has not said its time');
  return row.now;
}
