import type { Database, SqlRow } from '@tetrad/db';
import { flatState, flatStateHead } from '../generated/tables.js';

/** A key that was asked for, with the root of all rows. */
export interface FoundFlat {
  readonly root: SqlRow<typeof flatStateHead>['stateRoot'];
  readonly key: SqlRow<typeof flatState>['key'];
  /** Null where the root has no value under the key. */
  readonly value: SqlRow<typeof flatState>['value'] | null;
}

const { table, columns } = flatState;
const FIND = `
  SELECT head.${flatStateHead.columns.stateRoot} AS root, asked.key, flat.${columns.value} AS value
    FROM ${flatStateHead.table} AS head CROSS JOIN unnest($1::bytea[]) AS asked (key)
         LEFT JOIN ${table} AS flat ON flat.${columns.key} = asked.key
   WHERE head.${flatStateHead.columns.id} = 1`;

/** Reads the values of many keys and the root that they are of, in one statement; no rows while they are of none. */
export async function findFlatState(
  { pool }: Pick<Database, 'pool'>,
  keys: readonly Uint8Array[],
): Promise<readonly FoundFlat[]> {
  return (await pool.query<FoundFlat>({ name: 'find-flat-state', text: FIND, values: [keys] })).rows;
}
