import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { hashFromBytes } from '@tetrad/types';
import type pg from 'pg';
import { nonceEntry } from '../generated/tables.js';
import type { NonceState, SignedEntry } from '../nonce-rows.js';

const FIELDS = ['sequenceId', 'nonce', 'state', 'given', 'lost', 'raw', 'hash', 'idempotency'] as const;
type Row = SqlRow<typeof nonceEntry, (typeof FIELDS)[number]> & { readonly ageMs: number };

const { table, columns } = nonceEntry;
const LIST = `
  SELECT ${columnsOf(nonceEntry, FIELDS)}, extract(epoch FROM now() - ${columns.changedAt})::float8 * 1000 AS "ageMs"
    FROM ${table}
   WHERE ${columns.sequenceId} = $1 AND ${columns.state} = ANY($2::nonce_state[]) AND ${columns.nonce} >= $3
     AND ${columns.raw} IS NOT NULL
   ORDER BY ${columns.nonce} LIMIT $4`;

/**
 * Entries of a sequence.
 * @returns as `NonceStore.listSigned`
 */
export async function listSigned(
  pool: pg.Pool,
  sequenceId: number,
  { states, from, limit }: { states: readonly NonceState[]; from: bigint; limit: number },
): Promise<SignedEntry[]> {
  const values = [sequenceId, states, from.toString(), limit];
  const { rows } = await pool.query<Row>({ name: 'list-signed', text: LIST, values });
  return rows.flatMap(({ nonce, raw, hash, idempotency, ...row }) =>
    raw === null || hash === null
      ? []
      : [
          {
            ...row,
            nonce: BigInt(nonce),
            raw,
            hash: hashFromBytes(hash),
            ...(idempotency === null ? {} : { idempotency }),
          },
        ],
  );
}
