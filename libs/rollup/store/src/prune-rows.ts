import type { Database } from '@tetrad/db';

/**
 * What nodes and account versions were before batches of a range changed them. Both tables are keyed with the height last, so
 * each row that a batch of the range wrote finds those before it.
 */
const STATEMENTS = [
  `DELETE FROM tree_node AS old USING tree_node AS new
    WHERE new.batch_height BETWEEN $1 AND $2 AND old.tree = new.tree AND old.level = new.level
      AND old.index = new.index AND old.batch_height < new.batch_height`,
  `DELETE FROM account_version AS old USING account_version AS new
    WHERE new.batch_height BETWEEN $1 AND $2 AND old.account_id = new.account_id
      AND old.batch_height < new.batch_height`,
];

/**
 * Forgets what batches of a range replaced: proofs at their heights and later ones can still be given, at earlier ones not.
 *
 * In: heights from and to, both included, of batches that are final; what was forgotten before costs nothing again
 */
export async function pruneReplaced(
  database: Database,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  await database.transaction(async (client) => {
    for (const text of STATEMENTS) await client.query(text, [range.from, range.to]);
  });
}
