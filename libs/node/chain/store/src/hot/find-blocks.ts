import { columnsOf, type SqlRow } from '@tetrad/db';
import { hashFromBytes } from '@tetrad/types';
import { block, chain } from '../generated/tables.js';
import type { StoredBlock } from '../ledger-rows.js';
import type { Statements } from '../statements.js';

const FIELDS = ['number', 'hash', 'stateRoot', 'header', 'totalTransactions'] as const;
type ReadBlock = SqlRow<typeof block, (typeof FIELDS)[number]> & { readonly timestamp: string };

const { table, columns } = block;
// Seconds are a 64-bit count of others' choosing, and are read as text.
const SELECT = `SELECT ${columnsOf(block, FIELDS)}, ${columns.timestamp}::text AS timestamp FROM ${table}`;

/** Conditions by which blocks are read; the server plans each once for a connection. */
const STATEMENTS = {
  'find-head': `${SELECT} WHERE ${columns.number} =
    (SELECT ${chain.columns.headNumber} FROM ${chain.table} WHERE ${chain.columns.id} = 1)`,
  'find-block-by-number': `${SELECT} WHERE ${columns.number} = $1`,
  'find-block-by-hash': `${SELECT} WHERE ${columns.hash} = $1`,
  'list-blocks': `${SELECT} WHERE ${columns.number} BETWEEN $1 AND $2 ORDER BY ${columns.number}`,
};

/** Reads blocks by one of the conditions, in ascending order. */
export async function findBlocks(
  statements: Statements,
  name: keyof typeof STATEMENTS,
  values: readonly (number | Buffer)[] = [],
): Promise<StoredBlock[]> {
  const { rows } = await statements.query<ReadBlock>({ name, text: STATEMENTS[name], values: [...values] });
  return rows.map((row) => ({
    number: row.number,
    hash: hashFromBytes(row.hash),
    stateRoot: hashFromBytes(row.stateRoot),
    timestamp: BigInt(row.timestamp),
    header: row.header,
    totalTransactions: row.totalTransactions,
  }));
}
