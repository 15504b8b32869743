import type { Database } from '@tetrad/db';
import { columnsOf, type SqlRow } from '@tetrad/db/client';
import { incomingMessage } from '../generated/tables.js';

const FIELDS = ['sequence', 'tag', 'own', 'other', 'kind', 'body'] as const;
const UNREAD = `
  SELECT ${columnsOf(incomingMessage, FIELDS)} FROM ${incomingMessage.table}
   ORDER BY ${incomingMessage.columns.sequence} LIMIT $1`;

/** A message for our node, as it is stored. */
export type UnreadMessage = SqlRow<typeof incomingMessage, (typeof FIELDS)[number]>;

/** Reads the oldest messages for our node. */
export async function unreadMessages(
  { pool }: Pick<Database, 'pool'>,
  max: number,
): Promise<readonly UnreadMessage[]> {
  return (await pool.query<UnreadMessage>({ name: 'unread-messages', text: UNREAD, values: [max] })).rows;
}
