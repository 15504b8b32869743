import { columnsOf, type SqlRow } from '@tetrad/db';
import { sequenceHead } from '../generated/tables.js';
import { RollupStoreError } from '../rollup-store-error.js';
import type { SequenceHead } from '../sequence-head.js';
import type { Statements } from '../statements.js';

const FIELDS = [
  'version',
  'nextAccountId',
  'openHeight',
  'openIndex',
  'nextInbound',
  'assembledHeight',
] as const;
const READ = `SELECT ${columnsOf(sequenceHead, FIELDS)} FROM ${sequenceHead.table} WHERE ${sequenceHead.columns.id} = 1`;

/** @throws RollupStoreError when the table is empty */
export function readHead(from: Statements): Promise<SequenceHead> {
  return one(from, { name: 'read-head', text: READ });
}

/**
 * Locks the sequence against changes by others until the end of the transaction.
 *
 * @throws RollupStoreError when there is no head
 */
export function lockHead(statements: Statements): Promise<SequenceHead> {
  return one(statements, { name: 'lock-head', text: `${READ} FOR UPDATE` });
}

async function one(
  from: Statements,
  statement: { readonly name: string; readonly text: string },
): Promise<SequenceHead> {
  const [head] = (await from.query<SqlRow<typeof sequenceHead, (typeof FIELDS)[number]>>(statement)).rows;
  if (head === undefined) throw new RollupStoreError('the head of the sequence is missing in the database');
  return head;
}
