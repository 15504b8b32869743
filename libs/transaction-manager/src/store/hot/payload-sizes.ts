import type { Database } from '@tetrad/db';
import type { SqlRow } from '@tetrad/db/client';
import { payload } from '../generated/tables.js';

/** How large a stored payload is, by its hash. */
export type PayloadSize = SqlRow<typeof payload, 'hash'> & {
  /** Of its encoding. */
  readonly bytes: number;
};

const { hash, encoded } = payload.columns;

const FIND = `
  SELECT ${hash} AS hash, octet_length(${encoded}) AS bytes FROM ${payload.table} WHERE ${hash} = ANY($1::bytea[])`;

/** Reads how large payloads of many hashes are, which the rows tell without what is stored beside them. */
export async function findPayloadSizes(
  { pool }: Pick<Database, 'pool'>,
  hashes: readonly Buffer[],
): Promise<readonly PayloadSize[]> {
  return (await pool.query<PayloadSize>({ name: 'payload-sizes', text: FIND, values: [hashes] })).rows;
}
