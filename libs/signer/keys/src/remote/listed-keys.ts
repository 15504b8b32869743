import { RemoteKeyError } from '@tetrad/remote-keys';
import { RetryTimer, type BackOff, type Clock } from '@tetrad/types';
import type { KeySource, KeysCheckId, ScanOptions, ScannedEntry } from '../key-entry.js';

const PAUSES: BackOff = { firstMs: 1_000, maxMs: 60_000 };
/** Of a whole list, which may be thousands of requests. */
const LIST_TIMEOUT_MS = 120_000;

export interface KeyListing {
  /** Id of the source: the service and the filter. */
  readonly id: string;
  readonly check: KeysCheckId;
  /** @throws RemoteKeyError */
  readonly list: (signal: AbortSignal) => Promise<readonly ScannedEntry[]>;
}

/**
 * All keys that a service lists. A list that cannot be had says nothing about keys that were listed before, which stay, and is asked
 * for again after pauses.
 */
export class ListedKeys implements KeySource {
  readonly isSingle = false;
  readonly folders: readonly string[] = [];
  private held: readonly ScannedEntry[] | undefined;
  private fault: string | undefined;
  private readonly retry: RetryTimer;
  private onChange: (() => void) | undefined;

  constructor(
    private readonly listing: KeyListing,
    clock: Clock,
  ) {
    this.retry = new RetryTimer(clock, PAUSES);
  }

  get id(): string {
    return this.listing.id;
  }

  get check(): KeysCheckId {
    return this.listing.check;
  }

  get whenEmpty(): string {
    return `${this.id}: lists no key`;
  }

  async scan({ refresh }: ScanOptions): Promise<readonly ScannedEntry[]> {
    // A change of some folder is no reason to ask the service.
    if (refresh || (this.held === undefined && this.fault === undefined)) await this.read();
    const { held = [], fault } = this;
    return fault === undefined ? held : [...held, { name: this.id, fault, isTransient: true }];
  }

  watch(onChange: () => void): () => void {
    this.onChange = onChange;
    this.askLater();
    return () => {
      this.onChange = undefined;
      this.retry.cancel();
    };
  }

  private async read(): Promise<void> {
    try {
      this.held = await this.listing.list(AbortSignal.timeout(LIST_TIMEOUT_MS));
      this.fault = undefined;
      this.retry.succeeded();
    } catch (error) {
      if (!(error instanceof RemoteKeyError)) throw error;
      this.fault = error.message;
      this.askLater();
    }
  }

  private askLater(): void {
    if (this.fault === undefined || this.onChange === undefined || this.retry.isWaiting) return;
    this.retry.tryLater(() => void this.readAgain());
  }

  private async readAgain(): Promise<void> {
    await this.read();
    if (this.fault === undefined) this.onChange?.();
  }
}
