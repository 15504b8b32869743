import { lease } from '../generated/tables.js';
import type { LeaseClaim } from '../lease-rows.js';
import type { Statements } from '../statements.js';

const { table, columns } = lease;
const { name: leaseName, holder: holders, expiresAt, since } = columns;
const TAKE = `
  INSERT INTO ${table} (${leaseName}, ${holders}, ${expiresAt})
  VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (${leaseName}) DO UPDATE SET ${holders} = excluded.${holders}, ${expiresAt} = excluded.${expiresAt},
         ${since} = CASE WHEN ${table}.${holders} = excluded.${holders} THEN ${table}.${since} ELSE excluded.${since} END
   WHERE ${table}.${holders} = excluded.${holders} OR ${table}.${expiresAt} < clock_timestamp()`;

/**
 * Takes a lease that is free or expired, or renews the holder's own: by the clock of the database, so that the clocks of
 * processes do not matter.
 *
 * @returns whether the holder has it now
 */
export async function takeLease(
  to: Statements,
  { name, holder }: LeaseClaim,
  durationMs: number,
): Promise<boolean> {
  const values = [name, holder, durationMs];
  return (await to.query({ name: 'take-lease', text: TAKE, values })).rowCount === 1;
}
