import type pg from 'pg';
import { auditEntry } from '../generated/tables.js';

/** What lists show of the transaction of an audit entry; numbers in decimal. */
export interface ShownTransaction {
  readonly sequence: number;
  readonly chainId: string | null;
  readonly nonce: string | null;
  readonly to: string | null;
  readonly value: string | null;
  readonly isPrivate: boolean;
}

const { table, columns } = auditEntry;
const SHOW = `
  SELECT ${columns.sequence} AS sequence, shown."chainId", shown.nonce, shown."to", shown.value,
         shown."privateFrom" IS NOT NULL AS "isPrivate"
    FROM ${table}
   CROSS JOIN LATERAL json_to_record(coalesce(${columns.transaction}, '{}')::json)
           AS shown ("chainId" text, nonce text, "to" text, value text, "privateFrom" text)
   WHERE ${columns.sequence} = ANY($1::bigint[])`;

/** Reads the transactions of entries; the JSON of each, which holds its data, stays in the database. */
export async function showTransactions(
  pool: pg.Pool,
  sequences: readonly number[],
): Promise<readonly ShownTransaction[]> {
  const statement = { name: 'show-transactions', text: SHOW, values: [sequences] };
  return (await pool.query<ShownTransaction>(statement)).rows;
}
