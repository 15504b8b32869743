import { asBuffer } from '@tetrad/db';
import { encodeWord } from '@tetrad/rollup-crypto';
import { treeNode } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { TREES, type TreeName, type TreeWrite } from '../tree-rows.js';

const { tree: trees, level: levels, index: places, batchHeight: height, hash: hashes } = treeNode.columns;
const WRITE = `
  INSERT INTO ${treeNode.table} (${trees}, ${levels}, ${places}, ${height}, ${hashes})
  SELECT $1, node.level, node.index, $2, node.hash
    FROM unnest($3::smallint[], $4::bigint[], $5::bytea[]) AS node (level, index, hash)
  ON CONFLICT (${trees}, ${levels}, ${places}, ${height}) DO UPDATE SET ${hashes} = excluded.${hashes}`;

/** Writes nodes of a tree as a batch leaves them. */
export async function writeTreeNodes(
  to: Statements,
  tree: TreeName,
  batchHeight: number,
  nodes: readonly TreeWrite[],
): Promise<void> {
  await to.query({
    name: 'write-tree-nodes',
    text: WRITE,
    values: [
      TREES[tree],
      batchHeight,
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      nodes.map(({ hash }) => asBuffer(encodeWord(hash))),
    ],
  });
}
