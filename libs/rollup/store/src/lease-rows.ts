import type { Database } from '@tetrad/db';

/** What one process at a time does, and which process asks. */
export interface LeaseClaim {
  readonly name: string;
  /** Different for each process. */
  readonly holder: string;
}

type Statements = Pick<Database['pool'], 'query'>;

/** The names of the leases under which batches are proved begin with it; their heights follow. */
export const PROVING_LEASES = 'prove/';

/**
 * Takes a lease that is free or expired, or renews the holder's own: by the clock of the database, so that the clocks of
 * processes do not matter. Out: whether the holder has it now
 */
export async function takeLease(
  to: Statements,
  { name, holder }: LeaseClaim,
  durationMs: number,
): Promise<boolean> {
  const { rowCount } = await to.query({
    name: 'take-lease',
    text: `
      INSERT INTO lease (name, holder, expires_at)
      VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
             since = CASE WHEN lease.holder = excluded.holder THEN lease.since ELSE excluded.since END
       WHERE lease.holder = excluded.holder OR lease.expires_at < clock_timestamp()`,
    values: [name, holder, durationMs],
  });
  return rowCount === 1;
}

/**
 * Keeps others from taking the lease until the transaction ends. Out: false when another process has it, so that the caller
 * must not write
 */
export async function holdLease(within: Statements, { name, holder }: LeaseClaim): Promise<boolean> {
  const { rowCount } = await within.query({
    name: 'hold-lease',
    text: 'SELECT 1 FROM lease WHERE name = $1 AND holder = $2 FOR SHARE',
    values: [name, holder],
  });
  return rowCount === 1;
}

/** Whether a process has it at the moment. */
export async function isLeased(from: Statements, name: string): Promise<boolean> {
  const { rowCount } = await from.query({
    name: 'is-leased',
    text: 'SELECT 1 FROM lease WHERE name = $1 AND expires_at >= clock_timestamp()',
    values: [name],
  });
  return rowCount === 1;
}

/** Releases it, so that the next holder need not wait until it expires. */
export async function releaseLease(to: Statements, { name, holder }: LeaseClaim): Promise<void> {
  await to.query({
    name: 'release-lease',
    text: 'DELETE FROM lease WHERE name = $1 AND holder = $2',
    values: [name, holder],
  });
}
