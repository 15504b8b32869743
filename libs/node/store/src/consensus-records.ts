import { asBuffer, type Database } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import type { InstanceLock } from './instance-lock.js';
import { LedgerStoreError } from './ledger-store-error.js';

/** The signing record of a validator key, as the consensus engine encodes it, and its view. */
export interface ConsensusRecordRow {
  readonly height: number;
  readonly round: number;
  readonly record: Uint8Array;
}

/** One row per validator key, written before the messages that it records are sent. */
export class ConsensusRecords {
  constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
  ) {}

  /** The last saved record; undefined when the key never signed here. */
  async find(validator: Address): Promise<Uint8Array | undefined> {
    const { rows } = await this.database.pool.query<{ record: Buffer }>(
      'SELECT record FROM consensus_record WHERE validator = $1',
      [asBuffer(addressToBytes(validator))],
    );
    return rows[0]?.record;
  }

  /**
   * Resolves when the record is durable.
   *
   * Fails: LedgerStoreError when the stored record is of a later view, so that another process signs with the key;
   * the database's error when it is unavailable
   */
  async save(validator: Address, { height, round, record }: ConsensusRecordRow): Promise<void> {
    await this.lock.hold();
    const saved = await this.database.pool.query({
      name: 'save-consensus-record',
      text: `INSERT INTO consensus_record AS mine (validator, height, round, record) VALUES ($1, $2, $3, $4)
             ON CONFLICT (validator) DO UPDATE
                SET height = EXCLUDED.height, round = EXCLUDED.round, record = EXCLUDED.record
              WHERE (mine.height, mine.round) <= (EXCLUDED.height, EXCLUDED.round)`,
      values: [asBuffer(addressToBytes(validator)), height, round, asBuffer(record)],
    });
    if (saved.rowCount !== 1)
      throw new LedgerStoreError(
        `the record of ${validator} is already beyond height ${height}, round ${round}`,
      );
  }
}
