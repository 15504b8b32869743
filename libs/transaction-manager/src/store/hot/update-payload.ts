import { asBuffer } from '@tetrad/db';
import type { PoolClient } from 'pg';
import { payload, payloadRecipient } from '../generated/tables.js';
import type { StoredPayload } from '../stored-payload.js';

const { hash, sequence, encoded } = payload.columns;
const recipient = payloadRecipient.columns;

const UPDATE = `
  WITH changed AS (
    UPDATE ${payload.table} SET ${encoded} = $2 WHERE ${hash} = $1 RETURNING ${sequence} AS sequence
  )
  INSERT INTO ${payloadRecipient.table} (${recipient.key}, ${recipient.sequence})
  SELECT DISTINCT key, sequence FROM changed, unnest($3::bytea[]) AS recipient (key) ON CONFLICT DO NOTHING`;

/** Replaces the encoding of a payload and adds the keys that it has boxes for by now. */
export async function updatePayload(
  statements: Pick<PoolClient, 'query'>,
  { recipients, ...changed }: StoredPayload,
): Promise<void> {
  await statements.query({
    name: 'update-payload',
    text: UPDATE,
    values: [asBuffer(changed.hash), asBuffer(changed.encoded), recipients.map(asBuffer)],
  });
}
