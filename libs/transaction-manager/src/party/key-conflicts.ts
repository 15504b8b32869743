import { keepNewest, type Counter, type Gauge, type Logger, type Metrics, type PtmKey } from '@tetrad/types';

/** Conflicts that are remembered; the oldest goes first. */
const MAX_OPEN = 100;
/** Announcement intervals after which a claim that was not repeated no longer counts as a conflict. */
const MAX_AGE = 60;
/** Conflicts that one text names. */
const NAMED = 3;

interface Conflict {
  readonly key: PtmKey;
  readonly holder: string;
  readonly claimant: string;
  age: number;
}

/** Keys that two managers claim, of which one may pass on the proofs of the other. */
export class KeyConflicts {
  private readonly open = new Map<string, Conflict>();
  private readonly total: Counter;
  private readonly current: Gauge;

  constructor(private readonly parts: { readonly logger: Logger; readonly metrics: Metrics }) {
    this.total = parts.metrics.counter(
      'transaction_manager_key_conflicts_total',
      'Announcements of a key that another manager holds and did not give up.',
    );
    this.current = parts.metrics.gauge(
      'transaction_manager_key_conflicts',
      'Keys that are claimed at two URLs at the moment.',
    );
  }

  /**
   * Records a claim.
   * @param holder - URLs: the receiver of payloads for the key, and the one that claims it
   * @param claimant - URLs: the receiver of payloads for the key, and the one that claims it
   */
  note(key: PtmKey, holder: string, claimant: string): void {
    const name = `${key} ${claimant}`;
    const known = this.open.has(name);
    this.open.delete(name);
    this.open.set(name, { key, holder, claimant, age: 0 });
    keepNewest(this.open, MAX_OPEN);
    this.total.increment();
    this.current.set(this.open.size);
    // A claim that is repeated is counted, and does not fill the log.
    if (!known) this.parts.logger.warn('two managers claim one key', { key, holder, claimant });
  }

  /** One announcement interval has passed. */
  tick(): void {
    for (const [name, conflict] of this.open) {
      conflict.age += 1;
      if (conflict.age > MAX_AGE) this.open.delete(name);
    }
    this.current.set(this.open.size);
  }

  /** A message for the operator; undefined without conflicts. */
  get warning(): string | undefined {
    const conflicts = [...this.open.values()];
    if (conflicts.length === 0) return undefined;
    const named = conflicts
      .slice(-NAMED)
      .map(({ key, holder, claimant }) => `${key} of ${holder} is claimed by ${claimant}`);
    const more = conflicts.length - named.length;
    return named.join('; ') + (more === 0 ? '' : `; and ${more} more`);
  }
}
