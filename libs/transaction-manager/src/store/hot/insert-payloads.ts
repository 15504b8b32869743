import { asBuffer, type Database } from '@tetrad/db';
import type { SqlRow } from '@tetrad/db/client';
import { payload, payloadRecipient, undeliveredPayload } from '../generated/tables.js';
import type { StoredPayload } from '../stored-payload.js';

const { hash, sequence, encoded } = payload.columns;
const recipient = payloadRecipient.columns;

const INSERT = `
  WITH inserted AS (
    INSERT INTO ${payload.table} (${hash}, ${encoded})
    SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT (${hash}) DO NOTHING RETURNING ${hash} AS hash, ${sequence} AS sequence
  ), recipients AS (
    INSERT INTO ${payloadRecipient.table} (${recipient.key}, ${recipient.sequence})
    SELECT DISTINCT key, sequence FROM unnest($3::bytea[], $4::bytea[]) AS recipient (hash, key) JOIN inserted USING (hash)
  ), undelivered AS (
    INSERT INTO ${undeliveredPayload.table} (${undeliveredPayload.columns.hash})
    SELECT hash FROM unnest($5::bytea[]) AS sent (hash) JOIN inserted USING (hash)
  )
  SELECT hash FROM inserted`;

/**
 * Stores payloads of different hashes, which keys they have boxes for, and which of them may not be delivered: all or none, in one
 * statement.
 *
 * @returns hashes of those that were not stored before
 */
export async function insertPayloads(
  { pool }: Pick<Database, 'pool'>,
  payloads: readonly StoredPayload[],
): Promise<readonly Uint8Array[]> {
  const recipients = payloads.flatMap((one) => one.recipients.map((key) => ({ hash: one.hash, key })));
  const { rows } = await pool.query<SqlRow<typeof payload, 'hash'>>({
    name: 'insert-payloads',
    text: INSERT,
    values: [
      payloads.map((one) => asBuffer(one.hash)),
      payloads.map((one) => asBuffer(one.encoded)),
      recipients.map((one) => asBuffer(one.hash)),
      recipients.map(({ key }) => asBuffer(key)),
      payloads.filter(({ undelivered = false }) => undelivered).map((one) => asBuffer(one.hash)),
    ],
  });
  return rows.map((row) => row.hash);
}
