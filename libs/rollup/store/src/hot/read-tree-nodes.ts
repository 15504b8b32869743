import type { SqlRow } from '@tetrad/db';
import { decodeWord } from '@tetrad/rollup-crypto';
import { treeNode } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { TREES, type TreeName, type TreePosition } from '../tree-rows.js';

const { table, columns } = treeNode;
const READ = `
  SELECT wanted.level, wanted.index, node.hash
    FROM unnest($2::smallint[], $3::bigint[]) AS wanted (level, index)
   CROSS JOIN LATERAL (
         SELECT ${columns.hash} AS hash FROM ${table}
          WHERE ${table}.${columns.tree} = $1 AND ${table}.${columns.level} = wanted.level
            AND ${table}.${columns.index} = wanted.index AND ${table}.${columns.batchHeight} <= $4
          ORDER BY ${columns.batchHeight} DESC LIMIT 1) AS node`;

/**
 * Nodes as the batches up to a height leave them.
 * @returns `level/index` → hash; what was never written is missing
 */
export async function readTreeNodes(
  from: Statements,
  tree: TreeName,
  positions: readonly TreePosition[],
  upToHeight: number,
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await from.query<SqlRow<typeof treeNode, 'level' | 'index' | 'hash'>>({
    name: 'tree-nodes',
    text: READ,
    values: [
      TREES[tree],
      positions.map(({ level }) => level),
      positions.map(({ index }) => index),
      upToHeight,
    ],
  });
  return new Map(rows.map(({ level, index, hash }) => [`${level}/${index}`, decodeWord(hash)]));
}
