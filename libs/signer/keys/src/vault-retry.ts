import type { Clock } from '@tetrad/types';
import { mapConcurrently } from './map-concurrently.js';
import { openEntry } from './key-loading.js';
import type { KeyOutcome, KeyTable } from './key-table.js';

/** Waits between attempts: doubled each time, up to a bound. */
export interface BackOff {
  readonly firstMs: number;
  readonly mostMs: number;
}

export const VAULT_BACK_OFF: BackOff = { firstMs: 1_000, mostMs: 60_000 };

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
  private delayMs: number;
  private cancel: (() => void) | undefined;
  private isRunning = false;
  private isClosed = false;

  constructor(private readonly options: VaultRetryOptions) {
    this.delayMs = options.backOff.firstMs;
  }

  /** Starts, unless it runs or there is nothing to ask for. */
  start(): void {
    if (this.isClosed || this.isRunning || this.cancel !== undefined) return;
    if (missingVaultKeys(this.options.table()).length === 0) {
      this.delayMs = this.options.backOff.firstMs;
      return;
    }
    this.cancel = this.options.clock.schedule(this.delayMs, () => {
      this.cancel = undefined;
      void this.attempt();
    });
    this.delayMs = Math.min(2 * this.delayMs, this.options.backOff.mostMs);
  }

  close(): void {
    this.isClosed = true;
    this.cancel?.();
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

export function isMissingVaultKey({ askAgain }: KeyOutcome): boolean {
  return askAgain !== undefined;
}

function missingVaultKeys(table: KeyTable): readonly (readonly [string, KeyOutcome])[] {
  return [...table].filter(([, outcome]) => isMissingVaultKey(outcome));
}
