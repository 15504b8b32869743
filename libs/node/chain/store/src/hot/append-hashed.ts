import { byteaArray } from '@tetrad/db';
import type { HashedBytes } from '../ledger-rows.js';
import type { HashedTable } from '../state-tables.js';
import type { Statements } from '../statements.js';

/** Adds rows keyed by the hash of their content: an existing one is identical. */
export async function appendHashed(
  statements: Statements,
  { name, hash, content }: HashedTable,
  rows: readonly HashedBytes[],
): Promise<void> {
  await statements.query({
    name: `append-${name}`,
    text: `INSERT INTO ${name} (${hash}, ${content}) SELECT * FROM unnest($1::bytea[], $2::bytea[])
           ON CONFLICT (${hash}) DO NOTHING`,
    values: [byteaArray(rows.map((row) => row.hash)), byteaArray(rows.map(({ bytes }) => bytes))],
  });
}
