import { mapConcurrently, RetryTimer, type BackOff, type Clock } from '@tetrad/types';
import { openEntry } from './key-loading.js';
import type { KeyOutcome, KeyTable } from './key-table.js';

export const VAULT_BACK_OFF: BackOff = { firstMs: 1_000, maxMs: 60_000 };

/** Keys asked for at a time. */
const KEYS_AT_A_TIME = 8;

export interface VaultRetryOptions {
  readonly backOff: BackOff;
  readonly clock: Clock;
  readonly table: () => KeyTable;
  /** Called with what an attempt gave, for entries that may have changed or gone meanwhile. */
  readonly onOutcome: (identity: string, outcome: KeyOutcome) => Promise<void>;
}

/** Asks vaults again for the keys that they did not give, for as long as there are any. */
export class VaultRetry {
  private readonly timer: RetryTimer;
  private isRunning = false;
  private isClosed = false;

  constructor(private readonly options: VaultRetryOptions) {
    this.timer = new RetryTimer(options.clock, options.backOff);
  }

  /** Starts, unless it runs or there is nothing to ask for. */
  start(): void {
    if (this.isClosed || this.isRunning || this.timer.isWaiting) return;
    if (missingVaultKeys(this.options.table()).length === 0) this.timer.succeeded();
    else this.timer.tryLater(() => void this.attempt());
  }

  close(): void {
    this.isClosed = true;
    this.timer.cancel();
  }

  private async attempt(): Promise<void> {
    this.isRunning = true;
    await mapConcurrently(
      missingVaultKeys(this.options.table()),
      KEYS_AT_A_TIME,
      async ([identity, { source, askAgain }]) => {
        if (askAgain === undefined || this.isClosed) return;
        const outcome = await openEntry(source, askAgain);
        if (!this.isClosed) await this.options.onOutcome(identity, outcome);
      },
    );
    this.isRunning = false;
    this.start();
  }
}

/** Whether a key, or a list of them, is missing that another host may give with nothing changed here. */
export function isMissingRemotely({ key, askAgain, isTransient }: KeyOutcome): boolean {
  return key === undefined && (askAgain !== undefined || isTransient);
}

function missingVaultKeys(table: KeyTable): readonly (readonly [string, KeyOutcome])[] {
  return [...table].filter(([, { askAgain }]) => askAgain !== undefined);
}
