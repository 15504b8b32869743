import { asBuffer, columnsOf, namesOf, type SqlRow } from '@tetrad/db';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { poolTransaction } from '../generated/tables.js';
import type { PooledTransaction, StoredPooledTransaction } from '../ledger-rows.js';
import type { Statements } from '../statements.js';

const { table, columns } = poolTransaction;
const { sequence, hash, acceptedAt } = columns;

const JOURNAL = `
  WITH gone AS (DELETE FROM ${table} WHERE ${hash} = ANY($4::bytea[]))
  INSERT INTO ${table} (${namesOf(poolTransaction, ['hash', 'raw', 'acceptedAt'])})
  SELECT hash, raw, to_timestamp(accepted_ms / 1000.0)
    FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) AS accepted (hash, raw, accepted_ms)
      ON CONFLICT (${hash}) DO NOTHING`;

/** Adds rows and removes others, in one statement and so in one commit. */
export async function journalPool(
  statements: Statements,
  { rows, gone }: { readonly rows: readonly PooledTransaction[]; readonly gone: readonly Hash[] },
): Promise<void> {
  await statements.query({
    name: 'journal-pool',
    text: JOURNAL,
    values: [
      rows.map((row) => asBuffer(hashToBytes(row.hash))),
      rows.map(({ raw }) => asBuffer(raw)),
      rows.map(({ acceptedMs }) => acceptedMs),
      gone.map((one) => asBuffer(hashToBytes(one))),
    ],
  });
}

const LOAD = `
  SELECT ${columnsOf(poolTransaction, ['sequence', 'hash', 'raw'])},
         floor(extract(epoch FROM ${acceptedAt}) * 1000)::bigint AS "acceptedMs"
    FROM ${table} WHERE ${sequence} > $1 ORDER BY ${sequence} LIMIT $2`;

type ReadRow = SqlRow<typeof poolTransaction, 'sequence' | 'hash' | 'raw'> & { readonly acceptedMs: number };

/** Rows in the order of acceptance. */
export async function loadPool(
  statements: Statements,
  { after, limit }: { readonly after: bigint; readonly limit: bigint },
): Promise<StoredPooledTransaction[]> {
  const { rows } = await statements.query<ReadRow>({ name: 'load-pool', text: LOAD, values: [after, limit] });
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence), hash: hashFromBytes(row.hash) }));
}
