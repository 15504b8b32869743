import type { AccountProgress, ProgressMarks, RollupStore } from '@tetrad/rollup-store';

type Store = Pick<RollupStore, 'readProgressMarks' | 'findChangedProgress'>;
type Hear = (progress: AccountProgress) => void;

/** An account that clients listen for. */
interface Watched {
  /** What all but the new listeners have heard. */
  told: AccountProgress | undefined;
  readonly listeners: Set<Hear>;
  readonly fresh: Set<Hear>;
}

/**
 * Watches in the rows how far the operations of accounts are, for those who listen; without a listener nothing is read. A listener
 * hears the present progress first, then each other one that a look finds. So each notice replaces those before: a client that was
 * away has missed nothing, and an account that changes often costs no more than a notice for each look.
 */
export class ProgressNews {
  private readonly watched = new Map<number, Watched>();
  private last: ProgressMarks | undefined;

  constructor(private readonly store: Store) {}

  /** @returns ends it */
  onProgress(accountId: number, hear: Hear): () => void {
    const account = this.watched.get(accountId) ?? {
      told: undefined,
      listeners: new Set(),
      fresh: new Set(),
    };
    this.watched.set(accountId, account);
    account.listeners.add(hear);
    account.fresh.add(hear);
    return () => {
      account.listeners.delete(hear);
      account.fresh.delete(hear);
      if (account.listeners.size === 0 && this.watched.get(accountId) === account)
        this.watched.delete(accountId);
    };
  }

  /**
   * Tells what has changed since the last look.
   * @returns that there is nothing more to tell now
   */
  async step(): Promise<false> {
    if (this.watched.size === 0) {
      this.last = undefined;
      return false;
    }
    const marks = await this.store.readProgressMarks();
    const since = this.last ?? marks;
    const hasFresh = [...this.watched.values()].some(({ fresh }) => fresh.size > 0);
    if (!hasFresh && isSame(since, marks)) return false;
    const found = await this.store.findChangedProgress({
      watched: [...this.watched.keys()],
      certain: this.certain(),
      since,
      marks,
    });
    this.last = marks;
    for (const progress of found) this.tell(progress);
    return false;
  }

  /** Those whose progress may change without a further operation, or be taken back; and those with new listeners. */
  private certain(): number[] {
    const isUnsettled = ({ told, fresh }: Watched) =>
      fresh.size > 0 ||
      told === undefined ||
      told.pendingOperations > 0 ||
      told.executedNonce !== told.finalNonce ||
      told.executedCredit !== told.finalCredit;
    return [...this.watched].flatMap(([accountId, account]) => (isUnsettled(account) ? [accountId] : []));
  }

  private tell(progress: AccountProgress): void {
    const account = this.watched.get(progress.accountId);
    if (account === undefined) return;
    const hearers = isEqual(account.told, progress) ? account.fresh : account.listeners;
    account.told = progress;
    const now = [...hearers];
    account.fresh.clear();
    for (const hear of now) hear(progress);
  }
}

function isSame(one: ProgressMarks, other: ProgressMarks): boolean {
  return (
    one.version === other.version &&
    one.accepted === other.accepted &&
    one.provenHeight === other.provenHeight &&
    one.finalHeight === other.finalHeight
  );
}

function isEqual(one: AccountProgress | undefined, other: AccountProgress): boolean {
  return (
    one !== undefined &&
    one.executedNonce === other.executedNonce &&
    one.provedNonce === other.provedNonce &&
    one.finalNonce === other.finalNonce &&
    one.executedCredit === other.executedCredit &&
    one.provedCredit === other.provedCredit &&
    one.finalCredit === other.finalCredit &&
    one.pendingOperations === other.pendingOperations
  );
}
