import { asBuffer, namesOf } from '@tetrad/db';
import { hashToBytes } from '@tetrad/types';
import { privateHead } from '../generated/tables.js';
import type { PrivateHead } from '../private-rows.js';
import type { Statements } from '../statements.js';

const { table, columns } = privateHead;
const { number, hash } = columns;
const MOVE = `
  INSERT INTO ${table} (${namesOf(privateHead, ['id', 'number', 'hash'])})
  SELECT 1, $1::bigint, $2::bytea WHERE $3::bigint = -1 OR EXISTS (SELECT FROM ${table})
      ON CONFLICT (${columns.id}) DO UPDATE SET ${number} = $1, ${hash} = $2 WHERE ${table}.${number} = $3`;

/** Whether the head was moved; not so when it is another one than `from`, which is -1 for none. */
export async function movePrivateHead(
  statements: Statements,
  head: PrivateHead,
  from: number,
): Promise<boolean> {
  const values = [head.number, asBuffer(hashToBytes(head.hash)), from];
  return (await statements.query({ name: 'move-private-head', text: MOVE, values })).rowCount === 1;
}
