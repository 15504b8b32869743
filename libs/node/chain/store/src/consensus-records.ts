import type { Database } from '@tetrad/db';
import type { Address } from '@tetrad/types';
import { findRecord } from './hot/read-at-start.js';
import { saveConsensusRecord } from './hot/save-consensus-record.js';
import type { InstanceLock } from './instance-lock.js';
import { LedgerStoreError } from './ledger-store-error.js';
import type { StoredConsensusRecord } from './validator-rows.js';

/** One row per validator key, written before the messages that it records are sent. */
export class ConsensusRecords {
  constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
  ) {}

  /** The last saved record; undefined when the key never signed here. */
  find(validator: Address): Promise<Uint8Array | undefined> {
    return findRecord(this.database.pool, validator);
  }

  /**
   * Resolves when the record is durable.
   * @throws LedgerStoreError when the stored record is of a later view, so that another process signs with the key; the
   *   database's error when it is unavailable
   */
  async save(validator: Address, row: StoredConsensusRecord): Promise<void> {
    await this.lock.hold();
    if (!(await saveConsensusRecord(this.database.pool, validator, row)))
      throw new LedgerStoreError(
        `the record of ${validator} is already beyond height ${row.height}, round ${row.round}`,
      );
  }
}
