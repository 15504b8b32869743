import type { Account } from '@tetrad/rollup-state';
import type { SequenceStep } from '@tetrad/rollup-store';
import { LRUCache } from 'lru-cache';

/** Accounts kept; some 2 kB each. */
const MAX_ACCOUNTS = 50_000;

/** Accounts as of the last sequence step of this process; valid until another process changes the sequence. */
export class AccountCache {
  private readonly kept: LRUCache<number, Account>;
  private version = -1;

  constructor(most = MAX_ACCOUNTS) {
    this.kept = new LRUCache({ max: most });
  }

  /** The accounts with these ids; those that do not exist are missing. */
  async read(step: SequenceStep, ids: ReadonlySet<number>): Promise<Map<number, Account>> {
    if (this.version !== step.head.version) this.kept.clear();
    // Until it is remembered what came of the step, nothing that is kept is known to be so.
    this.version = -1;
    const accounts = new Map<number, Account>();
    const missing: number[] = [];
    for (const id of ids) {
      const kept = this.kept.get(id);
      if (kept === undefined) missing.push(id);
      else accounts.set(id, kept);
    }
    for (const account of await step.accounts(missing)) {
      accounts.set(account.id, account);
      this.kept.set(account.id, account);
    }
    return accounts;
  }

  /**
   * Takes what a step that is committed changed.
   * @param version - of the head after it
   */
  remember(accounts: ReadonlyMap<number, Account>, version: number): void {
    for (const [id, account] of accounts) this.kept.set(id, account);
    this.version = version;
  }
}
