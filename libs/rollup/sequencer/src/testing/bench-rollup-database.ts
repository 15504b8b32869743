import { connectDatabase, createDatabase, migrateDeploy, prismaFolder, type Database } from '@tetrad/db';
import { encodePoint, multiplyGenerator } from '@tetrad/rollup-crypto';
import {
  ROLLUP_DATABASE_SETTINGS,
  openRollupStore,
  type AcceptanceBounds,
  type RollupStore,
} from '@tetrad/rollup-store';
import { systemClock } from '@tetrad/types';

/** Token of which every account has plenty. */
export const TOKEN = 0;

/** What is measured looks at bounds, and comes to none of them. */
const BOUNDS: AcceptanceBounds = {
  quota: { operations: 1_000_000_000, windowMs: 86_400_000 },
  maxPending: 10_000_000,
  clock: systemClock,
};

export interface BenchRollup {
  readonly name: string;
  readonly database: Database;
  readonly store: RollupStore;
  /** Ids of the accounts whose keys are points of the curve, over all of the tree. */
  readonly ids: readonly number[];
  close(): Promise<void>;
}

/**
 * A rollup with so many accounts that are final, written into the tables at once. Those that take part have keys;
 * the others only fill the tables and their indexes.
 * @param url - of the server
 * @param options.keys - secret keys of those that take part
 */
export async function openBenchRollup(
  url: string,
  {
    name,
    accounts,
    keys,
  }: { readonly name: string; readonly accounts: number; readonly keys: readonly bigint[] },
): Promise<BenchRollup> {
  const databaseUrl = await createDatabase(url, name);
  await migrateDeploy(databaseUrl, prismaFolder('rollup-operator'));
  const database = await connectDatabase({ url: databaseUrl, settings: ROLLUP_DATABASE_SETTINGS });
  const store = openRollupStore(database, BOUNDS);
  const ids = keys.map((_, place) => 1 + Math.floor((place * accounts) / keys.length));
  await fill(database, accounts);
  await giveKeys(database, ids, keys);
  await database.pool.query('ANALYZE');
  return {
    name,
    database,
    store,
    ids,
    async close() {
      await store.close();
      await database.close();
    },
  };
}

async function fill(database: Database, accounts: number): Promise<void> {
  const { pool } = database;
  const point = Buffer.from(encodePoint(multiplyGenerator(7n)));
  await pool.query(
    `INSERT INTO account (public_key, account_id, operation_hash, joint_key, blinding_factor, created_height)
     SELECT sha512(id::text::bytea), id, sha256(id::text::bytea), $2::bytea || $2::bytea, decode(repeat('01', 32), 'hex'), 1
       FROM generate_series(1, $1::int) AS id`,
    [accounts, point],
  );
  await pool.query(
    `INSERT INTO account_version (account_id, batch_height, nonce, redemption_index, balances)
     SELECT id, 1, 0, 0, '{"0": "1000000000000"}' FROM generate_series(1, $1::int) AS id`,
    [accounts],
  );
  await pool.query(
    `INSERT INTO batch (height, state, operations, size, inbound_from, inbound_to) VALUES (1, 'final', 2, 2, 0, 0)`,
  );
  await pool.query('UPDATE sequence_head SET open_height = 2, next_account_id = $1', [accounts + 1]);
  await pool.query('INSERT INTO token (token_id, address, unit, block_number) VALUES ($1, $2, 1, 1)', [
    TOKEN,
    Buffer.alloc(20),
  ]);
}

async function giveKeys(database: Database, ids: readonly number[], keys: readonly bigint[]): Promise<void> {
  const points = keys.map((key) => Buffer.from(encodePoint(multiplyGenerator(key))));
  await database.pool.query(
    `UPDATE account SET public_key = given.key
       FROM unnest($1::int[], $2::bytea[]) AS given (id, key) WHERE account.account_id = given.id`,
    [ids, points],
  );
}
