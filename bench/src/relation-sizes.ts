import type { Database } from '@tetrad/db';

/** Bytes on disk of each table and each index, by name; a table's bytes are those without its indexes. */
export type RelationSizes = ReadonlyMap<string, number>;

/**
 * Bytes of all tables and indexes of the database, once dead rows were removed: rows that come and go, such as those of
 * the pool's journal, count as the pages they leave.
 */
export async function readRelationSizes({ pool }: Database): Promise<RelationSizes> {
  await pool.query('VACUUM');
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    `SELECT relname AS name, pg_table_size(oid)::float8 AS bytes FROM pg_class
      WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/**
 * What each relation has grown by; those that have not are left out.
 * @returns the largest first
 */
export function growthOf(
  before: RelationSizes,
  after: RelationSizes,
): readonly (readonly [string, number])[] {
  return [...after]
    .map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)] as const)
    .filter(([, bytes]) => bytes > 0)
    .sort(([, one], [, other]) => other - one);
}
