import { asBuffer, namesOf } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import { consensusRecord } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import type { StoredConsensusRecord } from '../validator-rows.js';

const { table, columns } = consensusRecord;
const { height, round, record } = columns;
const SAVE = `
  INSERT INTO ${table} AS mine (${namesOf(consensusRecord, ['validator', 'height', 'round', 'record'])})
  VALUES ($1, $2, $3, $4)
      ON CONFLICT (${columns.validator}) DO UPDATE
     SET ${height} = EXCLUDED.${height}, ${round} = EXCLUDED.${round}, ${record} = EXCLUDED.${record}
   WHERE (mine.${height}, mine.${round}) <= (EXCLUDED.${height}, EXCLUDED.${round})`;

/** Whether the record was stored; not so when the stored one is of a later view. */
export async function saveConsensusRecord(
  statements: Statements,
  validator: Address,
  row: StoredConsensusRecord,
): Promise<boolean> {
  const values = [asBuffer(addressToBytes(validator)), row.height, row.round, asBuffer(row.record)];
  return (await statements.query({ name: 'save-consensus-record', text: SAVE, values })).rowCount === 1;
}
