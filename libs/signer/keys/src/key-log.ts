import type { Address, Logger } from '@tetrad/types';
import { countKeys } from './key-progress.js';
import { newCautions, newFailures, type KeyDifference, type KeyOutcome, type KeyTable } from './key-table.js';

/** Addresses that one line names; the counts are whole. */
const MAX_NAMED = 20;

const NOTHING: KeyTable = new Map();

/** What operators read about loading: a line for each key that cannot be used, one for what changed. */
export class KeyLog {
  private lastFault: string | undefined;

  constructor(private readonly logger: Logger) {}

  firstLoad(table: KeyTable): void {
    this.newlyLoaded(NOTHING, table);
    this.logger.info('keys loaded', countKeys(table));
  }

  /** A source from which keys are expected has none. */
  emptySource(reason: string): void {
    this.logger.warn('no keys found', { reason });
  }

  /** Says nothing when nothing changed: folders are looked at again and again. */
  laterLoad({ added, removed, failed }: KeyDifference, before: KeyTable, after: KeyTable): void {
    this.lastFault = undefined;
    this.newlyLoaded(before, after);
    if (added.length + removed.length === 0) return;
    this.logger.info('keys changed', {
      added: added.slice(0, MAX_NAMED),
      addedCount: added.length,
      removed: removed.slice(0, MAX_NAMED),
      removedCount: removed.length,
      failedCount: failed.length,
    });
  }

  /** A vault gave a key that it had not given before. */
  vaultAnswered({ name, key }: KeyOutcome): void {
    this.logger.info('key loaded', { name, address: key?.address });
  }

  /** A key that is held cannot sign, or can again. */
  availability(
    values: { readonly name: string; readonly address: Address },
    reason: string | undefined,
  ): void {
    if (reason === undefined) this.logger.info('key available again', { ...values });
    else this.logger.warn('key unavailable', { ...values, reason });
  }

  /** A source could not be read at all; said once for as long as it is so. */
  noLoad(reason: string): void {
    if (reason !== this.lastFault) this.logger.error('keys not reloaded', { reason });
    this.lastFault = reason;
  }

  private newlyLoaded(before: KeyTable, after: KeyTable): void {
    for (const values of newFailures(before, after)) this.logger.warn('key not loaded', { ...values });
    for (const values of newCautions(before, after))
      this.logger.warn('key loaded with warnings', { ...values });
  }
}
