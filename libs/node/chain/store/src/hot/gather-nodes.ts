import { byteaArray, type SqlRow } from '@tetrad/db';
import type { trieNode } from '../generated/tables.js';
import type { HashedTable } from '../state-tables.js';
import type { Statements } from '../statements.js';

/**
 * Copies nodes from one table to the other.
 *
 * @returns those of the hashes that one of the two has. Nodes of blocks since the beginning of the epoch are in the second
 * already, and not always in the first
 */
export async function gatherNodes(
  statements: Statements,
  [from, to]: readonly [HashedTable, HashedTable],
  hashes: readonly Uint8Array[],
): Promise<readonly SqlRow<typeof trieNode, 'hash' | 'encoded'>[]> {
  const select = ({ name, hash, content }: HashedTable) =>
    `SELECT ${hash} AS hash, ${content} AS encoded FROM ${name} WHERE ${hash} = ANY($1::bytea[])`;
  const { rows } = await statements.query<SqlRow<typeof trieNode, 'hash' | 'encoded'>>({
    name: `gather-${to.name}`,
    text: `WITH found AS (${select(from)} UNION ${select(to)}),
                copied AS (INSERT INTO ${to.name} (${to.hash}, ${to.content}) SELECT hash, encoded FROM found
                               ON CONFLICT (${to.hash}) DO NOTHING)
           SELECT hash, encoded FROM found`,
    values: [byteaArray(hashes)],
  });
  return rows;
}
