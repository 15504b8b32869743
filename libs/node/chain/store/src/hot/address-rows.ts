import { byteaArray, columnsOf, integerArray, namesOf, type SqlRow } from '@tetrad/db';
import { addressRow } from '../generated/tables.js';
import type { Statements } from '../statements.js';

/** A row, with the list and the place of its first transaction as they are stored. */
export interface StoredAddressRow {
  readonly list: bigint;
  readonly first: number;
  readonly sentBefore: number;
  readonly roles: number;
  readonly entries: Uint8Array;
}

const { table, columns } = addressRow;
const FIELDS = ['first', 'sentBefore', 'roles', 'entries'] as const;

const PUT = `
  INSERT INTO ${table} (${namesOf(addressRow, ['list', ...FIELDS])})
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::smallint[], $5::bytea[])
      ON CONFLICT (${namesOf(addressRow, ['list', 'first'])})
      DO UPDATE SET ${columns.roles} = excluded.${columns.roles}, ${columns.entries} = excluded.${columns.entries}`;

const FIND_NEWEST = `
  SELECT number::int AS number, newest.*
    FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (list, number)
   CROSS JOIN LATERAL (SELECT ${columnsOf(addressRow, FIELDS)} FROM ${table} AS own
                        WHERE own.${columns.list} = asked.list ORDER BY own.${columns.first} DESC LIMIT 1) AS newest`;

/** Stores rows; one that is there has grown. */
export async function putAddressRows(
  statements: Statements,
  rows: readonly StoredAddressRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = [
    integerArray(
      8,
      rows.map(({ list }) => list),
    ),
    integerArray(
      8,
      rows.map(({ first }) => first),
    ),
    integerArray(
      4,
      rows.map(({ sentBefore }) => sentBefore),
    ),
    integerArray(
      2,
      rows.map(({ roles }) => roles),
    ),
    byteaArray(rows.map(({ entries }) => entries)),
  ];
  await statements.query({ name: 'put-address-rows', text: PUT, values });
}

/** The newest row of each list, as far as it has one. */
export async function findNewestAddressRows(
  statements: Statements,
  lists: readonly bigint[],
): Promise<StoredAddressRow[]> {
  const { rows } = await statements.query<
    SqlRow<typeof addressRow, (typeof FIELDS)[number]> & { readonly number: number }
  >({ name: 'find-newest-address-rows', text: FIND_NEWEST, values: [integerArray(8, lists)] });
  // Lists have more bits than the driver's numbers: each is known by its number among those that were asked for.
  return rows.map(({ number, ...row }) => ({ list: lists[number - 1] as bigint, ...row }));
}
