import { asBuffer, type Database } from '@tetrad/db';
import { decodeWord, encodeWord } from '@tetrad/rollup-crypto';

export type TreeName = 'account' | 'history';

const TREES: Readonly<Record<TreeName, number>> = { account: 1, history: 2 };

/** Level 0 holds the leaves. */
export interface TreePosition {
  readonly level: number;
  readonly index: number;
}

export interface TreeWrite extends TreePosition {
  readonly hash: bigint;
}

type Statements = Pick<Database['pool'], 'query'>;

/** Nodes as the batches up to a height leave them. Out: `level/index` → hash; what was never written is missing */
export async function readTreeNodes(
  from: Statements,
  tree: TreeName,
  positions: readonly TreePosition[],
  upToHeight: number,
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await from.query<{ level: number; index: number; hash: Buffer }>({
    name: 'tree-nodes',
    text: `
      SELECT wanted.level, wanted.index, node.hash
        FROM unnest($2::smallint[], $3::bigint[]) AS wanted (level, index)
       CROSS JOIN LATERAL (
             SELECT hash FROM tree_node
              WHERE tree_node.tree = $1 AND tree_node.level = wanted.level AND tree_node.index = wanted.index
                AND tree_node.batch_height <= $4
              ORDER BY batch_height DESC LIMIT 1) AS node`,
    values: [
      TREES[tree],
      positions.map(({ level }) => level),
      positions.map(({ index }) => index),
      upToHeight,
    ],
  });
  return new Map(rows.map(({ level, index, hash }) => [`${level}/${index}`, decodeWord(hash)]));
}

export async function writeTreeNodes(
  to: Statements,
  tree: TreeName,
  batchHeight: number,
  nodes: readonly TreeWrite[],
): Promise<void> {
  await to.query({
    name: 'write-tree-nodes',
    text: `INSERT INTO tree_node (tree, level, index, batch_height, hash)
           SELECT $1, level, index, $2, hash
             FROM unnest($3::smallint[], $4::bigint[], $5::bytea[]) AS node (level, index, hash)
           ON CONFLICT (tree, level, index, batch_height) DO UPDATE SET hash = excluded.hash`,
    values: [
      ...[TREES[tree], batchHeight],
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      nodes.map(({ hash }) => asBuffer(encodeWord(hash))),
    ],
  });
}
