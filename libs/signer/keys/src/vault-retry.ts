import { mapConcurrently, pause, RetryTimer, type BackOff, type Clock } from '@tetrad/types';
import { openEntry, REMOTE_ENTRIES_AT_A_TIME } from './key-loading.js';
import type { KeyOutcome, KeyTable } from './key-table.js';

export const VAULT_BACK_OFF: BackOff = { firstMs: 1_000, maxMs: 60_000 };

/** Keys that arrive within that time are taken in together, since each time the whole table is replaced. */
const TAKEN_IN_AFTER_MS = 50;

export interface VaultRetryOptions {
  readonly backOff: BackOff;
  readonly clock: Clock;
  readonly table: () => KeyTable;
  /** Called with what attempts gave, for entries that may have changed or gone meanwhile. */
  readonly onOutcomes: (outcomes: KeyTable) => Promise<void>;
}

/** Asks vaults again for the keys that they did not give, for as long as there are any. */
export class VaultRetry {
  private readonly timer: RetryTimer;
  private arrived = new Map<string, KeyOutcome>();
  private takingIn: Promise<void> | undefined;
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
      REMOTE_ENTRIES_AT_A_TIME,
      async ([identity, { source, askAgain }]) => {
        if (askAgain === undefined || this.isClosed) return;
        this.arrived.set(identity, await openEntry(source, askAgain));
        this.takingIn ??= this.takeIn();
      },
    );
    await this.takingIn;
    this.isRunning = false;
    this.start();
  }

  private async takeIn(): Promise<void> {
    do {
      await pause(this.options.clock, TAKEN_IN_AFTER_MS);
      const { arrived } = this;
      this.arrived = new Map();
      if (!this.isClosed) await this.options.onOutcomes(arrived);
    } while (this.arrived.size > 0);
    this.takingIn = undefined;
  }
}

/** Whether a key, or a list of them, is missing that another host may give with nothing changed here. */
export function isMissingRemotely({ key, askAgain, isTransient }: KeyOutcome): boolean {
  return key === undefined && (askAgain !== undefined || isTransient);
}

function missingVaultKeys(table: KeyTable): readonly (readonly [string, KeyOutcome])[] {
  return [...table].filter(([, { askAgain }]) => askAgain !== undefined);
}
