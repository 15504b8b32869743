import { byteaArray, integerArray, namesOf } from '@tetrad/db';
import { addressToBytes, hashToBytes } from '@tetrad/types';
import { transaction } from '../generated/tables.js';
import type { StoredTransaction } from '../ledger-rows.js';
import type { Statements } from '../statements.js';

const FIELDS = [
  'blockNumber',
  'index',
  'hash',
  'sender',
  'raw',
  'status',
  'gasUsed',
  'cumulativeGasUsed',
  'contractAddress',
  'firstLog',
  'logCount',
  'revertReason',
] as const;
const APPEND = `
  INSERT INTO ${transaction.table} (${namesOf(transaction, FIELDS)})
  SELECT * FROM unnest($1::bigint[], $2::int[], $3::bytea[], $4::bytea[], $5::bytea[], $6::smallint[],
                       $7::bigint[], $8::bigint[], $9::bytea[], $10::int[], $11::int[], $12::bytea[])`;

/** Adds transactions with their receipts. */
export async function appendTransactions(
  statements: Statements,
  rows: readonly StoredTransaction[],
): Promise<void> {
  await statements.query({
    name: 'append-transactions',
    text: APPEND,
    values: [
      integerArray(
        8,
        rows.map((row) => row.blockNumber),
      ),
      integerArray(
        4,
        rows.map((row) => row.index),
      ),
      byteaArray(rows.map((row) => hashToBytes(row.hash))),
      byteaArray(rows.map((row) => addressToBytes(row.sender))),
      byteaArray(rows.map((row) => row.raw)),
      integerArray(
        2,
        rows.map((row) => row.status),
      ),
      integerArray(
        8,
        rows.map((row) => row.gasUsed),
      ),
      integerArray(
        8,
        rows.map((row) => row.cumulativeGasUsed),
      ),
      byteaArray(rows.map(({ contractAddress: own }) => own && addressToBytes(own))),
      integerArray(
        4,
        rows.map((row) => row.firstLog),
      ),
      integerArray(
        4,
        rows.map((row) => row.logCount),
      ),
      byteaArray(rows.map(({ revertReason }) => revertReason)),
    ],
  });
}
