import { toBlock, type AgreementBlock } from '../agreement-rows.js';
import { privateAgreementBlock, privateReceipt } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { ROW, type ReadRow } from '../agreement-columns.js';

const { table, columns } = privateAgreementBlock;

const LIST_DUE = `
  SELECT ${ROW} FROM ${table} WHERE ${columns.nextAt} <= $1 ORDER BY ${columns.nextAt}, ${columns.blockNumber} LIMIT $2`;

/** Rows of which something is to be sent by now, in the order in which they became due. */
export async function listDueAgreement(
  statements: Statements,
  nowMs: number,
  max: number,
): Promise<AgreementBlock[]> {
  const values = [new Date(nowMs), max];
  const { rows } = await statements.query<ReadRow>({ name: 'list-due-agreement', text: LIST_DUE, values });
  return rows.map(toBlock);
}

/** The first blocks of a range, read from an index as far as there are so many. */
const firstBlocks = (from: string, number: string) => `
  (SELECT DISTINCT ${number} AS number FROM ${from} WHERE ${number} BETWEEN $1 AND $2 ORDER BY number LIMIT $3)`;

const LIST_BUSY = `
  SELECT number, bool_or(has_rows) AS "hasRows"
    FROM (SELECT number, false AS has_rows FROM ${firstBlocks(privateReceipt.table, privateReceipt.columns.blockNumber)} AS executed
           UNION ALL
          SELECT number, true FROM ${firstBlocks(table, columns.blockNumber)} AS stated) AS busy
   GROUP BY number ORDER BY number LIMIT $3`;

/** A block with something to state. */
export interface BusyBlock {
  readonly number: number;
  /** Whether there are rows of pairs about it. */
  readonly hasRows: boolean;
}

/**
 * Blocks of a range, both ends included, that have private receipts, or about which a party has stated something.
 * @param max - of the first ones
 */
export async function listBusyBlocks(
  statements: Statements,
  range: { readonly from: number; readonly to: number },
  max: number,
): Promise<BusyBlock[]> {
  const values = [range.from, range.to, max];
  return (await statements.query<BusyBlock>({ name: 'list-busy-blocks', text: LIST_BUSY, values })).rows;
}
