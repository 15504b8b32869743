import { asBuffer, type Database } from '@tetrad/db';
import { completeness, latestEpoch } from '../generated/tables.js';

const { table, columns } = completeness;
const BEGIN = `
  INSERT INTO ${table} (${columns.id}, ${columns.epoch}, ${columns.state}, ${columns.since})
  VALUES (1, $1, $2, greatest(now(), (SELECT max(${latestEpoch.columns.since}) + interval '1 millisecond'
                                        FROM ${latestEpoch.table})))
  ON CONFLICT (${columns.id}) DO UPDATE
     SET ${columns.epoch} = EXCLUDED.${columns.epoch}, ${columns.state} = EXCLUDED.${columns.state},
         ${columns.since} = EXCLUDED.${columns.since}`;

/** Replaces the state by one of a new epoch, after all that were noted, by the clock of the database. */
export async function beginEpoch(
  { pool }: Pick<Database, 'pool'>,
  { epoch, state }: { readonly epoch: Uint8Array; readonly state: string },
): Promise<void> {
  await pool.query(BEGIN, [asBuffer(epoch), state]);
}
