import type { Database } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { walletKey } from '../generated/tables.js';

const FIELDS = [
  'address',
  'kind',
  'generation',
  'cipher',
  'nonce',
  'sealed',
  'derivationPath',
  'label',
] as const;

/** A key, and the version of its row: the transaction that wrote it, by PostgreSQL's own count. */
export type VersionedKey = SqlRow<typeof walletKey, (typeof FIELDS)[number]> & { readonly version: number };

const FIND = `
  SELECT ${columnsOf(walletKey, FIELDS)}, xmin::text::bigint AS version
    FROM ${walletKey.table} WHERE ${walletKey.columns.address} = ANY($1::bytea[])`;

/** Reads the keys of many addresses in one statement, planned once for a connection. */
export async function findKeys(
  { pool }: Pick<Database, 'pool'>,
  addresses: readonly Uint8Array[],
): Promise<readonly VersionedKey[]> {
  return (await pool.query<VersionedKey>({ name: 'find-keys', text: FIND, values: [addresses] })).rows;
}
