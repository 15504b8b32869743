import type { Database } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { completeness, payload } from '../generated/tables.js';

const FIELDS = ['epoch', 'since'] as const;

type Position = SqlRow<typeof completeness, (typeof FIELDS)[number]> & { readonly sequence: number | string };

// One more than the last one, as the sequence of an empty table has a last value too.
const FIND = `
  SELECT ${columnsOf(completeness, FIELDS)},
         (SELECT last_value + is_called::int FROM ${payload.table}_${payload.columns.sequence}_seq) AS sequence
    FROM ${completeness.table}`;

/** The epoch, and how far the sequence of payloads has come in it; undefined without a state. */
export async function findPayloadPosition({ pool }: Pick<Database, 'pool'>): Promise<Position | undefined> {
  return (await pool.query<Position>({ name: 'payload-position', text: FIND })).rows[0];
}
