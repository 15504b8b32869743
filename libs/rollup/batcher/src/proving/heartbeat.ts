import type { Database } from '@tetrad/db';
import { PROVING_LEASES, takeLease, type LeaseClaim, type RollupStore } from '@tetrad/rollup-store';
import { HEARTBEAT_MS, PROVER_LEASE_MS } from '../params.js';

interface LeasedParts {
  readonly database: Database;
  readonly store: Pick<RollupStore, 'releaseLease'>;
}

/**
 * Does some work under a lease that marks it as in progress. The work is not ended when the lease is lost: its result is
 * valid by whichever process it is made.
 * @returns undefined, and nothing is done, when another process holds the lease
 */
export async function whileLeased<Result>(
  { database, store }: LeasedParts,
  claim: LeaseClaim,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  if (!(await takeLease(database.pool, claim, PROVER_LEASE_MS))) return undefined;
  // A beat that fails is followed by others; only when all of them fail does the lease run out.
  const timer = setInterval(
    () => void takeLease(database.pool, claim, PROVER_LEASE_MS).catch(() => false),
    HEARTBEAT_MS,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await store.releaseLease(claim).catch(() => undefined);
  }
}

/** Name of the lease under which a batch is proved. */
export const provingLease = (height: number): string => PROVING_LEASES + String(height);
