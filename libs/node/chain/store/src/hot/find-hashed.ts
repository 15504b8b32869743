import type { Database, SqlRow } from '@tetrad/db';
import type { trieNode } from '../generated/tables.js';
import type { HashedTable } from '../state-tables.js';

type Node = SqlRow<typeof trieNode, 'hash' | 'encoded'>;

/** A row of a table that is keyed by the hash of its content. */
export type HashedRow = Pick<Node, 'hash'> & { readonly bytes: Node['encoded'] };

/** Reads the rows of many hashes in one statement, of one table or two. */
export async function findHashed(
  { pool }: Pick<Database, 'pool'>,
  tables: readonly HashedTable[],
  hashes: readonly Uint8Array[],
): Promise<readonly HashedRow[]> {
  const { rows } = await pool.query<HashedRow>({
    name: `find-${tables.map(({ name }) => name).join('-')}`,
    text: tables.map(selectFrom).join(' UNION ALL '),
    values: [hashes],
  });
  return rows;
}

function selectFrom({ name, hash, content }: HashedTable): string {
  return `SELECT ${hash} AS hash, ${content} AS bytes FROM ${name} WHERE ${hash} = ANY($1::bytea[])`;
}
