import { asBuffer, type Database } from '@tetrad/db';
import { completeness, latestEpoch } from '../generated/tables.js';

const { table, columns } = completeness;
const BEGIN = `
  INSERT INTO ${table} (${columns.id}, ${columns.epoch}, ${columns.state}, ${columns.recovered}, ${columns.since})
  VALUES (1, $1, $2, $3, greatest(now(), (SELECT max(${latestEpoch.columns.since}) + interval '1 millisecond'
                                            FROM ${latestEpoch.table})))
  ON CONFLICT (${columns.id}) DO UPDATE
     SET ${columns.epoch} = EXCLUDED.${columns.epoch}, ${columns.state} = EXCLUDED.${columns.state},
         ${columns.recovered} = EXCLUDED.${columns.recovered}, ${columns.since} = EXCLUDED.${columns.since}`;

/** Replaces the state by one of a new epoch, after all that were noted, by the clock of the database. */
export async function beginEpoch(
  { pool }: Pick<Database, 'pool'>,
  begun: { readonly epoch: Uint8Array; readonly state: string; readonly recovered: boolean },
): Promise<void> {
  await pool.query(BEGIN, [asBuffer(begun.epoch), begun.state, begun.recovered]);
}
