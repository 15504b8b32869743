import type { Database } from '@tetrad/db';
import type { NonceState } from './nonce-rows.js';

/** Assigned nonces that are not settled, in one state. */
export interface NonceCount {
  readonly state: NonceState;
  readonly count: number;
  /** Since the state of the oldest one changed, in seconds; 0 without one. */
  readonly oldestSeconds: number;
}

/** The nonces of all replicas by state, those of states without one included. Reads all of them, for a scrape of metrics. */
export async function countNonces({ pool }: Pick<Database, 'pool'>): Promise<NonceCount[]> {
  const { rows } = await pool.query<{ state: NonceState; count: number; oldest: number }>({
    name: 'count-nonces',
    text: `SELECT asked.state, count(entry.state) AS count,
                  coalesce(extract(epoch FROM now() - min(entry.changed_at)), 0)::float8 AS oldest
             FROM unnest(enum_range(NULL::nonce_state)) AS asked (state)
             LEFT JOIN nonce_entry AS entry ON entry.state = asked.state
            GROUP BY asked.state`,
  });
  return rows.map(({ state, count, oldest }) => ({ state, count, oldestSeconds: Math.max(oldest, 0) }));
}
