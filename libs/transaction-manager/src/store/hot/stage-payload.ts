import { asBuffer, type Database } from '@tetrad/db';
import { stagedPayload } from '../generated/tables.js';

/** A payload that came before those it refers to. */
export interface EarlyPayload {
  readonly hash: Uint8Array;
  readonly encoded: Uint8Array;
  /** Hashes of those. */
  readonly affected: readonly Uint8Array[];
}

const { table, columns } = stagedPayload;
const STAGE = `
  INSERT INTO ${table} (${columns.hash}, ${columns.encoded}, ${columns.affected}) SELECT $1, $2, $3
   WHERE NOT EXISTS (SELECT FROM ${table} WHERE ${columns.hash} = $1 AND ${columns.encoded} = $2)`;

/** Stores the payload unless the same one is there. */
export async function stagePayload(
  { pool }: Pick<Database, 'pool'>,
  { hash, encoded, affected }: EarlyPayload,
): Promise<void> {
  const values = [asBuffer(hash), asBuffer(encoded), affected.map(asBuffer)];
  await pool.query({ name: 'stage-payload', text: STAGE, values });
}
