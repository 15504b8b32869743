import { asBuffer, type Database } from '@tetrad/db';
import { addressFromBytes, addressToBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import type { NonceName, NonceState } from './nonce-rows.js';

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

/** A nonce that is assigned and not settled, without the bytes that are signed with it. */
export interface SendRow extends NonceName {
  readonly chainId: bigint;
  readonly account: Address;
  readonly isPrivate: boolean;
  readonly state: NonceState;
  readonly isGiven: boolean;
  readonly hash: Hash | undefined;
  /** In ms since the epoch. */
  readonly changedMs: number;
}

interface Row {
  readonly edge_lane: number;
  readonly edge_nonce: string;
  readonly is_full: boolean;
  /** Null in the only row of a page without any. */
  readonly lane_id: number | null;
  readonly nonce: string;
  readonly chain_id: number;
  readonly account: Buffer;
  readonly is_private: boolean;
  readonly state: NonceState;
  readonly given: boolean;
  readonly hash: Buffer | null;
  readonly changed_ms: number;
}

/**
 * A page of the nonces of all replicas, by the key of their rows, highest first: a nonce keeps its place while its state
 * changes.
 *
 * Out: after — of the next page; undefined when this is the last
 */
export async function listSends(
  { pool }: Pick<Database, 'pool'>,
  { after, account, state, limit }: SendQuery,
): Promise<{ readonly rows: readonly SendRow[]; readonly after: NonceName | undefined }> {
  const found = await pool.query<Row>({
    name: 'list-sends',
    text: LIST,
    values: [
      ...[after?.sequenceId ?? Number.MAX_SAFE_INTEGER, (after?.nonce ?? 0n).toString()],
      ...[account === undefined ? null : asBuffer(addressToBytes(account)), state ?? null, limit],
    ],
  });
  const rows = found.rows.flatMap((row) => (row.lane_id === null ? [] : [sendOf(row, row.lane_id)]));
  const [first] = found.rows;
  const edge = first?.is_full ? { sequenceId: first.edge_lane, nonce: BigInt(first.edge_nonce) } : undefined;
  return { rows, after: rows.length === limit ? rows.at(-1) : edge };
}

function sendOf(row: Row, sequenceId: number): SendRow {
  return {
    ...{ sequenceId, nonce: BigInt(row.nonce), state: row.state, isGiven: row.given },
    ...{ chainId: BigInt(row.chain_id), account: addressFromBytes(row.account), isPrivate: row.is_private },
    hash: row.hash === null ? undefined : hashFromBytes(row.hash),
    changedMs: Math.round(row.changed_ms),
  };
}

/** OFFSET 0 is as in `NonceSequenceStore.claim`. */
const LIST = `
  WITH seen AS MATERIALIZED (
    SELECT lane_id, nonce, state, given, hash, changed_at FROM nonce_entry
     WHERE (lane_id, nonce) < ($1::bigint, $2::numeric)
     ORDER BY lane_id DESC, nonce DESC LIMIT ${WINDOW})
  SELECT edge.lane_id AS edge_lane, edge.nonce AS edge_nonce, edge.is_full, found.*
    FROM (SELECT lane_id, nonce, (SELECT count(*) FROM seen) = ${WINDOW} AS is_full
            FROM seen ORDER BY lane_id, nonce LIMIT 1) edge
    LEFT JOIN LATERAL (
      SELECT seen.lane_id, seen.nonce, seen.state, seen.given, seen.hash,
             extract(epoch FROM seen.changed_at)::float8 * 1000 AS changed_ms,
             named.chain_id, named.account, length(named.privacy_group) > 0 AS is_private
        FROM seen CROSS JOIN LATERAL (
             SELECT chain_id, account, privacy_group FROM nonce_sequence WHERE nonce_sequence.id = seen.lane_id OFFSET 0) named
       WHERE ($3::bytea IS NULL OR named.account = $3) AND ($4::text IS NULL OR seen.state::text = $4)
       ORDER BY seen.lane_id DESC, seen.nonce DESC LIMIT $5) found ON true`;
