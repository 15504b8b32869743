import { asBuffer } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import type pg from 'pg';
import type { ConsensusRecordRow } from './consensus-records.js';

/** A set that replaces the one after the head, and what the validator of this node has signed of the next block. */
export interface ValidatorReplacement {
  readonly head: number;
  /** Undefined where the set after the head is stored already. */
  readonly validators: readonly Address[] | undefined;
  /** Record that replaces the stored one; undefined where that one stays. */
  readonly record: { readonly validator: Address; readonly row: ConsensusRecordRow } | undefined;
}

/** Writes all of it, or nothing; open votes end, as they were about another set. */
export async function writeReplacement(
  client: pg.ClientBase,
  { head, validators, record }: ValidatorReplacement,
): Promise<void> {
  if (validators !== undefined) {
    await client.query(
      `INSERT INTO validator_set (from_block, validators) VALUES ($1, $2)
       ON CONFLICT (from_block) DO UPDATE SET validators = EXCLUDED.validators`,
      [head, Buffer.concat(validators.map(addressToBytes))],
    );
    await client.query('UPDATE validator_vote SET until_block = $1 WHERE until_block IS NULL', [head]);
  }
  if (record === undefined) return;
  const { validator, row } = record;
  await client.query(
    `INSERT INTO consensus_record (validator, height, round, record) VALUES ($1, $2, $3, $4)
     ON CONFLICT (validator) DO UPDATE
        SET height = EXCLUDED.height, round = EXCLUDED.round, record = EXCLUDED.record`,
    [asBuffer(addressToBytes(validator)), row.height, row.round, asBuffer(row.record)],
  );
}
