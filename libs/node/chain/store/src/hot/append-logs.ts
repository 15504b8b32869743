import { byteaArray, integerArray, namesOf } from '@tetrad/db';
import { addressToBytes, hashToBytes } from '@tetrad/types';
import type { StoredLog } from '../ledger-rows.js';
import type { Statements } from '../statements.js';
import { LOG_FIELDS, LOG_TABLES, type LogKind } from '../stored-log.js';

/** Adds logs of blocks. */
export async function appendLogs(
  statements: Statements,
  kind: LogKind,
  rows: readonly StoredLog[],
): Promise<void> {
  const to = LOG_TABLES[kind];
  const topic = (position: number) =>
    byteaArray(
      rows.map(({ topics }) => {
        const hash = topics[position];
        return hash && hashToBytes(hash);
      }),
    );
  await statements.query({
    name: `append-${to.table}s`,
    text: `INSERT INTO ${to.table} (${namesOf(to, LOG_FIELDS)})
           SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::bytea[], $5::bytea[], $6::bytea[],
                                $7::bytea[], $8::bytea[], $9::bytea[])`,
    values: [
      integerArray(
        8,
        rows.map((row) => row.blockNumber),
      ),
      integerArray(
        4,
        rows.map((row) => row.index),
      ),
      integerArray(
        4,
        rows.map((row) => row.transactionIndex),
      ),
      byteaArray(rows.map((row) => addressToBytes(row.address))),
      topic(0),
      topic(1),
      topic(2),
      topic(3),
      byteaArray(rows.map((row) => row.data)),
    ],
  });
}
