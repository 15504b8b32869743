import type { Database } from '@tetrad/db';
import { accountVersion, treeNode } from '../generated/tables.js';

const { columns: node } = treeNode;
const { columns: version } = accountVersion;

/**
 * What nodes and account versions were before batches of a range changed them. Both tables are keyed with the height last, so
 * each row that a batch of the range wrote finds those before it.
 */
const STATEMENTS = [
  `DELETE FROM ${treeNode.table} AS old USING ${treeNode.table} AS new
    WHERE new.${node.batchHeight} BETWEEN $1 AND $2 AND old.${node.tree} = new.${node.tree}
      AND old.${node.level} = new.${node.level} AND old.${node.index} = new.${node.index}
      AND old.${node.batchHeight} < new.${node.batchHeight}`,
  `DELETE FROM ${accountVersion.table} AS old USING ${accountVersion.table} AS new
    WHERE new.${version.batchHeight} BETWEEN $1 AND $2 AND old.${version.accountId} = new.${version.accountId}
      AND old.${version.batchHeight} < new.${version.batchHeight}`,
];

/**
 * Forgets what batches of a range replaced: proofs at their heights and later ones can still be given, at earlier ones not.
 * @param range - heights of batches that are final, both ends included; what was forgotten before costs nothing again
 */
export async function pruneReplaced(
  database: Database,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  await database.transaction(async (statements) => {
    for (const text of STATEMENTS) await statements.query(text, [range.from, range.to]);
  });
}
