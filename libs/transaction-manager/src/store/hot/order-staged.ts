import type { Database } from '@tetrad/db';
import type { SqlRow } from '@tetrad/db/client';
import { stagedPayload } from '../generated/tables.js';

/** Which staged payload has to be stored before which other one, by their sequences. */
export type StagedOrder = SqlRow<typeof stagedPayload, 'sequence'> & {
  /** Sequences of those before it. */
  readonly after: readonly number[];
};

const { table, columns } = stagedPayload;
const ORDER = `
  SELECT later.${columns.sequence} AS sequence,
         coalesce(array_agg(earlier.${columns.sequence}::float8)
           FILTER (WHERE earlier.${columns.sequence} IS NOT NULL), '{}') AS after
    FROM ${table} AS later LEFT JOIN ${table} AS earlier ON earlier.${columns.hash} = ANY(later.${columns.affected})
   GROUP BY later.${columns.sequence} ORDER BY later.${columns.sequence}`;

/** All staged payloads, and which of the others each refers to. By a statement, since the client joins by relations alone. */
export async function orderStaged({ pool }: Pick<Database, 'pool'>): Promise<readonly StagedOrder[]> {
  return (await pool.query<StagedOrder>(ORDER)).rows;
}
