import { asBuffer } from '@tetrad/db';
import { columnsOf, namesOf, qualified, type SqlRow } from '@tetrad/db/client';
import { addressToBytes, type Address } from '@tetrad/types';
import type pg from 'pg';
import { nonceEntry, nonceSequence } from '../generated/tables.js';
import type { NonceName, NonceState } from '../nonce-rows.js';

/** Rows that one page looks through: few may be of the account or state that is asked for. */
const WINDOW = 10_000;

export interface SendQuery {
  /** Nonces after this one in the order of the list; from the start when absent. */
  readonly after?: NonceName | undefined;
  readonly account?: Address | undefined;
  readonly state?: NonceState | undefined;
  /** Nonces of the page. */
  readonly limit: number;
}

/** The only row of a page without sends has nulls in place of one. */
type Found = SqlRow<typeof nonceEntry, 'nonce' | 'state' | 'given' | 'hash'> &
  SqlRow<typeof nonceSequence, 'chainId' | 'account'> & {
    readonly sequenceId: number | null;
    readonly isPrivate: boolean;
    readonly changedMs: number;
  };

/** A send of a page, and the last row that the page looked through. */
export type SendOfPage = Found & {
  readonly edgeSequence: number;
  readonly edgeNonce: string;
  /** Whether there may be further rows behind it. */
  readonly isFull: boolean;
};

const FIELDS = ['sequenceId', 'nonce', 'state', 'given', 'hash'] as const;
const entry = nonceEntry.columns;
const seen = qualified(nonceEntry, 'seen').columns;
const sequence = nonceSequence.columns;
const named = qualified(nonceSequence, 'named').columns;
/** OFFSET 0 is as in `claimSequences`. */
const LIST = `
  WITH seen AS MATERIALIZED (
    SELECT ${namesOf(nonceEntry, [...FIELDS, 'changedAt'])} FROM ${nonceEntry.table}
     WHERE (${entry.sequenceId}, ${entry.nonce}) < ($1::bigint, $2::numeric)
     ORDER BY ${entry.sequenceId} DESC, ${entry.nonce} DESC LIMIT ${WINDOW})
  SELECT edge."edgeSequence", edge."edgeNonce", edge."isFull", found.*
    FROM (SELECT ${seen.sequenceId} AS "edgeSequence", ${seen.nonce} AS "edgeNonce",
                 (SELECT count(*) FROM seen) = ${WINDOW} AS "isFull"
            FROM seen ORDER BY ${seen.sequenceId}, ${seen.nonce} LIMIT 1) edge
    LEFT JOIN LATERAL (
      SELECT ${columnsOf(qualified(nonceEntry, 'seen'), FIELDS)},
             extract(epoch FROM ${seen.changedAt})::float8 * 1000 AS "changedMs",
             ${columnsOf(qualified(nonceSequence, 'named'), ['chainId', 'account'])},
             length(${named.privacyGroup}) > 0 AS "isPrivate"
        FROM seen CROSS JOIN LATERAL (
             SELECT ${namesOf(nonceSequence, ['chainId', 'account', 'privacyGroup'])} FROM ${nonceSequence.table}
              WHERE ${sequence.id} = ${seen.sequenceId} OFFSET 0) named
       WHERE ($3::bytea IS NULL OR ${named.account} = $3) AND ($4::text IS NULL OR ${seen.state}::text = $4)
       ORDER BY ${seen.sequenceId} DESC, ${seen.nonce} DESC LIMIT $5) found ON true`;

/**
 * Reads a page, as `listSends` says.
 * @returns empty when there is no row behind `after`
 */
export async function readSends(
  pool: pg.Pool,
  { after, account, state, limit }: SendQuery,
): Promise<readonly SendOfPage[]> {
  const values = [
    after?.sequenceId ?? Number.MAX_SAFE_INTEGER,
    (after?.nonce ?? 0n).toString(),
    account === undefined ? null : asBuffer(addressToBytes(account)),
    state ?? null,
    limit,
  ];
  return (await pool.query<SendOfPage>({ name: 'list-sends', text: LIST, values })).rows;
}
