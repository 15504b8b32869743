import { FLOOR, type Query } from './adopt-counts.js';

/**
 * Nonces that no transaction has and that the chain needs before it can mine ours behind them. A narrow gap has been
 * opened: its nonces are free, for as long as `ageMs`. A wide one is left to `NonceWatch.leadBack`.
 */
export type Gap = { readonly isWide: true } | { readonly isWide: false; readonly ageMs: number };

/** Nonces of the widest gap that is opened. Transactions behind one that no send fills are mined after fillers. */
const MOST_OPENED = 64;

interface GapStart {
  readonly sequenceId: number;
  /** That the chain needs next. */
  readonly nonce: bigint;
}

/** The gap that begins with the nonce. In: query — in a transaction that has locked the sequence */
export async function findGap(
  query: Query,
  { sequenceId, nonce }: GapStart,
): Promise<{ readonly isWide: boolean; readonly end: bigint } | undefined> {
  const { rows } = await query<{ end: string | null }>({
    name: 'find-gap',
    text: `
      SELECT (SELECT nonce FROM nonce_entry
               WHERE lane_id = $1 AND nonce > $2 AND NOT given AND state IN ('accepted', 'doubtful')
               ORDER BY nonce LIMIT 1) AS end
        FROM nonce_sequence
       WHERE id = $1 AND $2 >= ${FLOOR} AND $2 < next_nonce
         AND NOT EXISTS (SELECT FROM nonce_entry WHERE lane_id = $1 AND nonce = $2 AND state <> 'free')`,
    values: [sequenceId, nonce.toString()],
  });
  const end = rows[0]?.end ?? undefined;
  return end === undefined ? undefined : { end: BigInt(end), isWide: BigInt(end) - nonce > MOST_OPENED };
}

/** Frees the nonces of a narrow gap that have no row. In: query — as in `findGap` */
export async function openGap(
  query: Query,
  gap: GapStart & { readonly end: bigint; readonly isWide: boolean; readonly owner: string },
): Promise<Gap> {
  if (gap.isWide) return { isWide: true };
  await query({
    name: 'open-gap',
    text: `INSERT INTO nonce_entry (lane_id, nonce, state, owner)
           SELECT $1, generate_series($2::numeric, $3::numeric - 1), 'free', $4
           ON CONFLICT (lane_id, nonce) DO NOTHING`,
    values: [gap.sequenceId, gap.nonce.toString(), gap.end.toString(), gap.owner],
  });
  const { rows } = await query<{ age_ms: number }>({
    name: 'age-of-gap',
    text: `SELECT extract(epoch FROM now() - changed_at)::float8 * 1000 AS age_ms FROM nonce_entry
            WHERE lane_id = $1 AND nonce = $2`,
    values: [gap.sequenceId, gap.nonce.toString()],
  });
  return { isWide: false, ageMs: rows[0]?.age_ms ?? 0 };
}
