import { asBuffer, type Database } from '@tetrad/db';
import { completeness, payload, stagedPayload } from '../generated/tables.js';

const { table, columns } = completeness;
const BEGIN = `
  INSERT INTO ${table} (${columns.id}, ${columns.epoch}, ${columns.state}) SELECT 1, $1, 'unchecked'
   WHERE NOT EXISTS (SELECT FROM ${payload.table}) AND NOT EXISTS (SELECT FROM ${stagedPayload.table})
  ON CONFLICT (${columns.id}) DO NOTHING`;

/** Stores that nothing is known yet where no payload was ever stored, unless something is. */
export async function beginCompleteness({ pool }: Pick<Database, 'pool'>, epoch: Uint8Array): Promise<void> {
  await pool.query(BEGIN, [asBuffer(epoch)]);
}
