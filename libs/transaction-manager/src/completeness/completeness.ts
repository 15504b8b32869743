import type { Gauge, Logger, Metrics } from '@tetrad/types';
import type { CompletenessStore, StoredCompleteness } from '../store/completeness-store.js';
import type { Incompleteness } from './incomplete-answer.js';

/** What the operator can do about a doubt; `recover` and `declare-complete` are commands of the program. */
export const REMEDY =
  'stop this manager and run `transaction-manager recover`, or `transaction-manager declare-complete` if nothing was lost';

const RESTORED = `payloads that came after the backup, or that an import left out, may be missing: ${REMEDY}`;

const UNCONFIRMED = `not all managers from which payloads were recovered have heard their own peers: ${REMEDY}`;

/**
 * Whether this manager holds all that was ever stored for its keys. Only then does a payload that is not here concern
 * other parties alone; a node that executes without a payload that was lost has another private state for good.
 */
export class Completeness {
  private state: StoredCompleteness | 'restored' = 'unchecked';
  private question: string | undefined;
  private readonly gauge: Gauge;

  constructor(
    private readonly parts: {
      readonly store: CompletenessStore;
      readonly logger: Logger;
      readonly metrics: Metrics;
    },
  ) {
    this.gauge = parts.metrics.gauge(
      'transaction_manager_complete',
      '1 while it is known that no payload for the keys of this manager was lost, else 0.',
    );
  }

  /** Reads what is stored. */
  async open(): Promise<void> {
    this.take(await this.parts.store.open());
  }

  /** Reads it again: the operator may have declared that nothing was lost. */
  async refresh(): Promise<void> {
    this.take(await this.parts.store.find());
  }

  /** Why a payload that is not here may have been lost; undefined when it was not. */
  get doubt(): string | undefined {
    if (this.state === 'restored') return RESTORED;
    if (this.state === 'unconfirmed') return this.question ?? UNCONFIRMED;
    return this.state === 'unchecked' ? this.question : undefined;
  }

  /**
   * What is said to other managers: why payloads for their keys may have been lost here. An unconfirmed one has all that can
   * come back for them: what it waits for has boxes for its own keys alone.
   */
  get incompleteness(): Incompleteness | undefined {
    return this.state === 'restored' || this.state === 'unchecked' ? this.state : undefined;
  }

  /** Whether peers have to be asked what they hold. */
  get isUnchecked(): boolean {
    return this.state === 'unchecked' || this.isUnconfirmed;
  }

  /** Whether a peer that began empty leaves it open until that one has heard its own peers. */
  get isUnconfirmed(): boolean {
    return this.state === 'unconfirmed';
  }

  /** Whether it is known for good that nothing is missing. */
  get isSettled(): boolean {
    return this.state !== 'restored' && !this.isUnchecked;
  }

  /** @param question - what peers have not answered yet; undefined where there is no peer to ask */
  leaveOpen(question: string | undefined): void {
    if (question !== undefined && question !== this.question)
      this.parts.logger.warn('it is not known whether payloads were lost', { reason: question });
    this.question = question;
    this.measure();
  }

  /** Stores how it is known that nothing is missing. */
  async settle(state: Exclude<StoredCompleteness, 'unchecked' | 'unconfirmed'>): Promise<void> {
    await this.parts.store.set(state);
    this.take(state);
    this.parts.logger.info('no payload is missing', { state });
  }

  /** All that its peers have was recovered, and some of them were unchecked: they are asked until they are not. */
  async awaitPeers(): Promise<void> {
    // One that began empty too asks its peers already, and must not wait for those that wait for it.
    if (this.state !== 'restored') return;
    await this.parts.store.set('unconfirmed');
    this.take('unconfirmed');
    this.parts.logger.warn('it is not known whether payloads were lost', { reason: UNCONFIRMED });
  }

  /** An epoch that was, by a clock that may have been ahead: the next one has to follow it. Units: ms since the epoch */
  async noteEpoch(sinceMs: number): Promise<void> {
    await this.parts.store.noteEpoch(sinceMs);
  }

  /** The database is older than it was: what came since may be missing. */
  async setBack(reason: string): Promise<void> {
    this.parts.logger.error('payloads that were stored are missing', { reason });
    await this.parts.store.forget();
    this.take(undefined);
  }

  private take(stored: StoredCompleteness | undefined): void {
    const state = stored ?? 'restored';
    if (state === 'restored' && this.state !== state)
      this.parts.logger.warn('it is not known whether payloads were lost', { reason: RESTORED });
    this.state = state;
    this.measure();
  }

  private measure(): void {
    this.gauge.set(this.doubt === undefined ? 1 : 0);
  }
}
