import type { Database } from '@tetrad/db';
import { holdLease, type LeaseClaim } from '@tetrad/rollup-store';
import { SENDING_MS } from './params.js';

/**
 * Does work that only the holder of a lease may do: until it ends no other process can take the lease, even when this
 * process is suspended meanwhile; the database ends the transaction when it takes too long.
 *
 * Out: undefined, and nothing is done, when another process holds the lease
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
