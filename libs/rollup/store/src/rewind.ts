import type { PoolClient } from 'pg';
import { RollupStoreError } from './rollup-store-error.js';
import type { SequenceHead } from './sequence-head.js';

/**
 * Takes back every batch from a height on, as when the contract accepted another one in its place: operations are pending
 * again, deposits wait, accounts and trees are those of the batch before. What was rejected stays so.
 *
 * Fails: RollupStoreError when one of the batches is final
 */
export async function rewindTo(
  client: PoolClient,
  head: SequenceHead,
  height: number,
): Promise<SequenceHead> {
  const { rows: final } = await client.query(
    "SELECT FROM batch WHERE height >= $1 AND state = 'final' LIMIT 1",
    [height],
  );
  if (final.length > 0) throw new RollupStoreError(`batch ${height} cannot be taken back: it is final`);
  const inbound = await firstInbound(client, height);
  const accountId = await firstCreated(client, height);
  for (const statement of STATEMENTS) await client.query(statement, [height]);
  return {
    ...head,
    nextAccountId: accountId ?? head.nextAccountId,
    ...{ openHeight: Math.min(height, head.openHeight), openIndex: 0 },
    nextInbound: inbound ?? head.nextInbound,
    assembledHeight: Math.min(height - 1, head.assembledHeight),
  };
}

async function firstInbound(client: PoolClient, height: number): Promise<number | undefined> {
  const { rows } = await client.query<{ first: number | null }>(
    'SELECT min(inbound_from) AS first FROM batch WHERE height >= $1',
    [height],
  );
  return rows[0]?.first ?? undefined;
}

async function firstCreated(client: PoolClient, height: number): Promise<number | undefined> {
  const { rows } = await client.query<{ first: number | null }>(
    'SELECT min(account_id) AS first FROM account WHERE created_height >= $1',
    [height],
  );
  return rows[0]?.first ?? undefined;
}

const STATEMENTS = [
  // The order that a creation made is gone; a redemption keeps the index that was signed.
  `UPDATE operation
      SET status = 'PENDING', batch_height = NULL, batch_index = NULL,
          total_index = CASE WHEN kind = 3 THEN total_index END, account_id = CASE WHEN kind = 1 THEN NULL ELSE account_id END
    WHERE batch_height >= $1`,
  'UPDATE deposit SET batch_height = NULL, batch_index = NULL WHERE batch_height >= $1',
  'UPDATE account SET account_id = NULL, created_height = NULL WHERE created_height >= $1',
  'DELETE FROM account_version WHERE batch_height >= $1',
  'DELETE FROM money_order WHERE batch_height >= $1',
  'UPDATE money_order SET redeemed_height = NULL WHERE redeemed_height >= $1',
  'DELETE FROM tree_node WHERE batch_height >= $1',
  'DELETE FROM batch WHERE height >= $1',
];
