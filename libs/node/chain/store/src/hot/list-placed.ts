import { columnsOf, namesOf, type SqlRow } from '@tetrad/db';
import { addressFromBytes } from '@tetrad/types';
import type { PlacedTransaction, TransactionPlace } from '../ledger-rows.js';
import { privateReceipt, transaction } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const FIELDS = ['index', 'raw', 'sender'] as const;
type ReadPlaced = SqlRow<typeof transaction, (typeof FIELDS)[number]> & {
  readonly number: SqlRow<typeof transaction>['blockNumber'];
};

const { table, columns } = transaction;
const PLACE = namesOf(transaction, ['blockNumber', 'index']);
const SELECT = `
  SELECT ${columns.blockNumber} AS number, ${columnsOf(transaction, FIELDS)} FROM ${table} AS placed
   WHERE (${PLACE}) > ($1, $2)`;

const LIST = `${SELECT} ORDER BY ${PLACE} LIMIT $3`;

/**
 * The transactions after a position, in the order of the chain.
 * @param most - rows
 */
export function listPlaced(
  statements: Statements,
  after: TransactionPlace,
  most: number,
): Promise<PlacedTransaction[]> {
  return read(statements, { name: 'list-placed', text: LIST, values: [after.number, after.index, most] });
}

const executed = privateReceipt.columns;
const LIST_UNEXECUTED = `
  ${SELECT} AND ${columns.blockNumber} <= $3 AND NOT EXISTS (
    SELECT FROM ${privateReceipt.table} AS executed
     WHERE executed.${executed.blockNumber} = placed.${columns.blockNumber}
       AND executed.${executed.index} = placed.${columns.index})
   ORDER BY ${PLACE} LIMIT $4`;

/** Those of them without a result in private state, up to a block. */
export function listUnexecuted(
  statements: Statements,
  { after, upTo, most }: { readonly after: TransactionPlace; readonly upTo: number; readonly most: number },
): Promise<PlacedTransaction[]> {
  const values = [after.number, after.index, upTo, most];
  return read(statements, { name: 'list-unexecuted', text: LIST_UNEXECUTED, values });
}

async function read(
  statements: Statements,
  statement: { readonly name: string; readonly text: string; readonly values: number[] },
): Promise<PlacedTransaction[]> {
  const { rows } = await statements.query<ReadPlaced>(statement);
  return rows.map(({ sender, ...row }) => ({ ...row, sender: addressFromBytes(sender) }));
}
