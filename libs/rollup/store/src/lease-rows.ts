import type { RollupCalls } from './rollup-client.js';

/** What one process at a time does, and which process asks. */
export interface LeaseClaim {
  readonly name: string;
  /** Different for each process. */
  readonly holder: string;
}

/** The names of the leases under which batches are proved begin with it; their heights follow. */
export const PROVING_LEASES = 'prove/';

/** The names of the leases by which provers say that they live begin with it; sizes of batches follow. */
export const PROVING_SIZES = 'provers/';

/** Releases it, so that the next holder need not wait until it expires. */
export async function releaseLease(calls: RollupCalls, { name, holder }: LeaseClaim): Promise<void> {
  await calls.lease.deleteMany({ where: { name, holder } });
}
