import { asBuffer, type Database } from '@tetrad/db';
import type { SqlRow } from '@tetrad/db/client';
import { payload, payloadRecipient } from '../generated/tables.js';

/** A payload as it is read in pages. */
export type PagedPayload = SqlRow<typeof payload, 'sequence' | 'encoded'>;

/** Bytes of payloads in a page, unless the first one is larger. */
const PAGE_BYTES = 4 * 1_048_576;

const { sequence, encoded } = payload.columns;
const recipient = payloadRecipient.columns;

const PAGE = `
  SELECT sequence, encoded FROM (
    SELECT one.${sequence} AS sequence, one.${encoded} AS encoded,
           sum(length(one.${encoded})) OVER (ORDER BY one.${sequence}) AS total
      FROM ${payload.table} AS one JOIN ${payloadRecipient.table} AS of ON of.${recipient.sequence} = one.${sequence}
     WHERE of.${recipient.key} = $1 AND one.${sequence} > $2 ORDER BY one.${sequence} LIMIT $3) AS page
   WHERE total <= $4 OR total = length(encoded) ORDER BY sequence`;

/**
 * Payloads that the key sent or has a box of, in the order they came; fewer than asked for where they are large. By a statement,
 * since the client can bound the rows of an answer and not its bytes.
 *
 * @param key - 32 bytes
 * @param after - sequence of the last one that was read
 */
export async function pagePayloads(
  { pool }: Pick<Database, 'pool'>,
  key: Uint8Array,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly PagedPayload[]> {
  const values = [asBuffer(key), after, limit, PAGE_BYTES];
  return (await pool.query<PagedPayload>({ name: 'page-payloads', text: PAGE, values })).rows;
}
