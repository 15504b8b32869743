import type { Database } from '@tetrad/db';
import { holdLease, type LeaseClaim } from '@tetrad/rollup-store';
import { SENDING_MS } from './params.js';

/**
 * Does something that only the holder of a lease may do: while it lasts nobody else can take the lease, however long this
 * process is held up in the middle; the database ends that when it takes too long.
 *
 * Out: undefined, and nothing is done, when the lease is somebody else's
 */
export function underLease<Result>(
  database: Database,
  claim: LeaseClaim,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  return database.transaction(async (client) => {
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${SENDING_MS}`);
    return (await holdLease(client, claim)) ? work() : undefined;
  });
}
