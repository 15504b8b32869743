import type { Database } from '@tetrad/db';
import { NonceState } from './generated/enums.js';
import { readTime } from './hot/read-time.js';
import type { SignerCalls } from './signer-client.js';

/** Assigned nonces that are not settled, in one state. */
export interface NonceCount {
  readonly state: NonceState;
  readonly count: number;
  /** Since the state of the oldest one changed, in seconds; 0 without one. */
  readonly oldestSeconds: number;
}

/** The nonces of all replicas by state, those of states without one included. Reads all of them, for a scrape of metrics. */
export async function countNonces({
  pool,
  client,
}: Pick<Database, 'pool'> & { readonly client: SignerCalls }): Promise<NonceCount[]> {
  const groups = await client.nonceEntry.groupBy({
    by: ['state'],
    _count: { _all: true },
    _min: { changedAt: true },
  });
  const nowMs = (await readTime(pool)).getTime();
  return Object.values(NonceState).map((state) => {
    const group = groups.find((one) => one.state === state);
    const oldestMs = group?._min.changedAt?.getTime() ?? nowMs;
    return { state, count: group?._count._all ?? 0, oldestSeconds: Math.max((nowMs - oldestMs) / 1_000, 0) };
  });
}
