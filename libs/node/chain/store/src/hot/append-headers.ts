import { byteaArray, namesOf } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import { block } from '../generated/tables.js';
import type { StoredBlock } from '../ledger-rows.js';
import type { Statements } from '../statements.js';

const FIELDS = ['number', 'hash', 'stateRoot', 'timestamp', 'header', 'totalTransactions'] as const;
const APPEND = `
  INSERT INTO ${block.table} (${namesOf(block, FIELDS)})
  SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[], $6::bigint[])`;

/** Adds the rows of blocks. */
export async function appendHeaders(statements: Statements, blocks: readonly StoredBlock[]): Promise<void> {
  await statements.query({
    name: 'append-blocks',
    text: APPEND,
    values: [
      blocks.map(({ number }) => number),
      byteaArray(blocks.map(({ hash }) => hashToBytes(hash))),
      byteaArray(blocks.map(({ stateRoot }) => hashToBytes(stateRoot))),
      blocks.map(({ timestamp }) => timestamp.toString()),
      byteaArray(blocks.map(({ header }) => header)),
      blocks.map(({ totalTransactions }) => totalTransactions),
    ],
  });
}
