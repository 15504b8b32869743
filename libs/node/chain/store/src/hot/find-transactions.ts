import { columnsOf, type SqlRow } from '@tetrad/db';
import { addressFromBytes, hashFromBytes } from '@tetrad/types';
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
  'contractAddress',
  'firstLog',
  'logCount',
  'revertReason',
] as const;
type ReadTransaction = SqlRow<typeof transaction, (typeof FIELDS)[number]> & {
  readonly gasUsed: string;
  readonly cumulativeGasUsed: string;
};

const { table, columns } = transaction;
// Gas is a 64-bit count of others' choosing, and is read as text.
const SELECT = `
  SELECT ${columnsOf(transaction, FIELDS)}, ${columns.gasUsed}::text AS "gasUsed",
         ${columns.cumulativeGasUsed}::text AS "cumulativeGasUsed"
    FROM ${table}`;

/** Conditions by which transactions are read; the server plans each once for a connection. */
const STATEMENTS = {
  'find-transaction': `${SELECT} WHERE ${columns.hash} = $1`,
  'list-transactions': `${SELECT} WHERE ${columns.blockNumber} = $1 ORDER BY ${columns.index}`,
};

/** Reads transactions by one of the conditions, in the order of the block. */
export async function findTransactions(
  statements: Statements,
  name: keyof typeof STATEMENTS,
  key: number | Buffer,
): Promise<StoredTransaction[]> {
  const { rows } = await statements.query<ReadTransaction>({ name, text: STATEMENTS[name], values: [key] });
  return rows.map(toStoredTransaction);
}

function toStoredTransaction({ contractAddress, revertReason, ...row }: ReadTransaction): StoredTransaction {
  return {
    blockNumber: row.blockNumber,
    index: row.index,
    hash: hashFromBytes(row.hash),
    sender: addressFromBytes(row.sender),
    raw: row.raw,
    status: row.status === 1 ? 1 : 0,
    gasUsed: BigInt(row.gasUsed),
    cumulativeGasUsed: BigInt(row.cumulativeGasUsed),
    ...(contractAddress === null ? {} : { contractAddress: addressFromBytes(contractAddress) }),
    firstLog: row.firstLog,
    logCount: row.logCount,
    ...(revertReason === null ? {} : { revertReason }),
  };
}
