import { randomBytes } from 'node:crypto';
import type { Database } from '@tetrad/db';
import type { PayloadPosition } from '../completeness/payload-mark.js';
import { beginCompleteness } from './hot/begin-completeness.js';
import { beginEpoch } from './hot/begin-epoch.js';
import { findPayloadPosition } from './hot/payload-position.js';
import type { ManagerClient } from './manager-client.js';

/**
 * How a manager came to hold all that was ever stored for its keys; `unchecked` is one of which that is not known yet, and
 * `unconfirmed` one that has recovered what its peers have, of which some were unchecked.
 */
export type StoredCompleteness = 'unconfirmed' | StoredState;

/** The values of the column; the version before reads an unconfirmed one as unchecked. */
type StoredState = 'unchecked' | 'new' | 'recovered' | 'declared' | 'imported' | 'upgraded';

const EPOCH_BYTES = 16;

/** The one row of `completeness`, and that of `latest_epoch`. */
const ROW = { id: 1 };

/** The row that says whether all payloads are here. A backup has none, so that what is restored from it is in doubt. */
export class CompletenessStore {
  constructor(
    private readonly database: Database,
    private readonly client: ManagerClient['client'],
  ) {}

  /**
   * What is stored; for a database that has never been used that nothing is known yet, which is stored then.
   * @returns undefined where payloads are there and the row is not: they come from a backup, or from an import that
   *   left some out
   */
  async open(): Promise<StoredCompleteness | undefined> {
    await beginCompleteness(this.database, randomBytes(EPOCH_BYTES));
    return this.find();
  }

  async find(): Promise<StoredCompleteness | undefined> {
    const select = { state: true, recovered: true };
    const row = await this.client.completeness.findUnique({ where: ROW, select });
    if (row === null) return undefined;
    return row.recovered && row.state === 'unchecked' ? 'unconfirmed' : (row.state as StoredState);
  }

  /** How far the rows have come; undefined without a state. */
  async position(): Promise<PayloadPosition | undefined> {
    const row = await findPayloadPosition(this.database);
    return row && { epoch: row.epoch, sinceMs: row.since.getTime(), sequence: Number(row.sequence) };
  }

  /** Records that rows of later are missing. */
  async forget(): Promise<void> {
    await this.client.completeness.deleteMany();
  }

  /** Begins an epoch, after all that were noted. */
  set(state: StoredCompleteness): Promise<void> {
    const recovered = state === 'unconfirmed';
    return beginEpoch(this.database, {
      epoch: randomBytes(EPOCH_BYTES),
      recovered,
      state: recovered ? 'unchecked' : state,
    });
  }

  /**
   * Units: ms since the epoch
   *
   * @param sinceMs - since when an earlier epoch counted, by a clock that may have been ahead
   */
  async noteEpoch(sinceMs: number): Promise<void> {
    const since = new Date(sinceMs);
    // Of several at a time the latest stays, whichever of these calls comes first.
    await this.client.latestEpoch.createMany({ data: [{ ...ROW, since }], skipDuplicates: true });
    await this.client.latestEpoch.updateMany({ where: { ...ROW, since: { lt: since } }, data: { since } });
  }

  /** Records that payloads of before are missing, in a database that counted as that of a new manager. */
  async reopen(): Promise<void> {
    await this.client.completeness.deleteMany({ where: { state: { in: ['unchecked', 'new'] } } });
  }
}
