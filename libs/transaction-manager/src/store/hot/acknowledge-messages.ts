import { integerArray, type Database } from '@tetrad/db';
import type { MessageId } from '../../message/party-message.js';
import { incomingMessage } from '../generated/tables.js';

const { table, columns } = incomingMessage;
const ACKNOWLEDGE = `
  DELETE FROM ${table} USING unnest($1::bigint[], $2::int[]) AS done (sequence, tag)
   WHERE ${table}.${columns.sequence} = done.sequence AND ${table}.${columns.tag} = done.tag`;

/** Forgets messages for our node, each of its sequence and tag. */
export async function acknowledgeMessages(
  { pool }: Pick<Database, 'pool'>,
  ids: readonly MessageId[],
): Promise<void> {
  const sequences = ids.map(({ sequence }) => sequence);
  const tags = ids.map(({ tag }) => tag);
  const values = [integerArray(8, sequences), integerArray(4, tags)];
  await pool.query({ name: 'acknowledge-messages', text: ACKNOWLEDGE, values });
}
