import type pg from 'pg';
import { nonceEntry, replica } from '../generated/tables.js';

const { sequenceId, state, owner, changedAt } = nonceEntry.columns;
const TAKE_OVER = `
  UPDATE ${nonceEntry.table}
     SET ${owner} = $2,
         ${state} = CASE ${state} WHEN 'reserved' THEN 'free' WHEN 'signed' THEN 'doubtful' ELSE ${state} END,
         ${changedAt} = CASE WHEN ${state} IN ('reserved', 'signed') THEN now() ELSE ${changedAt} END
   WHERE ${sequenceId} = $1
     AND (${state} = 'doubtful' AND ${owner} <> $2
          OR ${state} IN ('reserved', 'signed')
             AND ${changedAt} < now() - make_interval(secs => $3::float8 / 1000)
          OR ${state} IN ('reserved', 'signed', 'accepted') AND ${owner} <> $2
             AND ${owner} NOT IN (
                   SELECT ${replica.columns.id} FROM ${replica.table} WHERE ${replica.columns.aliveUntil} > now()))`;

/**
 * Takes over what other replicas have abandoned, as `NonceWatch.takeOver` says.
 * @param by.stuckMs - as in `NonceTiming`
 */
export async function takeOverNonces(
  client: pg.ClientBase,
  sequence: number,
  by: { readonly replica: string; readonly stuckMs: number },
): Promise<void> {
  const values = [sequence, by.replica, by.stuckMs];
  await client.query({ name: 'take-over-nonces', text: TAKE_OVER, values });
}
