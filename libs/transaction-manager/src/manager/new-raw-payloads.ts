/** Payloads that were stored for signed transactions since some place, for a node that will read them. */
export interface NewRaws {
  /** The place to ask from next. */
  readonly last: number;
  /** 64 bytes each. */
  readonly hashes: readonly Uint8Array[];
}

/** Hashes that are remembered, and most that one answer has; a node that lags asks for the others by itself. */
const MAX_REMEMBERED = 1_024;
const MAX_ANSWER = 64;

/** Requests that wait at a time; a further one is answered at once. */
const MAX_WAITING = 64;

/** Tells nodes of payloads of `storeRaw`, so that a node has them before their transactions come. */
export class NewRawPayloads {
  private readonly hashes: Uint8Array[] = [];
  private readonly waiting = new Set<() => void>();
  private last = 0;
  private isWaking = false;
  private isClosed = false;

  /** @param hash - of a payload that is stored */
  add(hash: Uint8Array): void {
    this.hashes.push(hash);
    this.last += 1;
    if (this.hashes.length > MAX_REMEMBERED) this.hashes.shift();
    if (this.isWaking || this.waiting.size === 0) return;
    this.isWaking = true;
    // One turn of the event loop, so that payloads that are stored together go together.
    setImmediate(() => {
      this.isWaking = false;
      this.wake();
    });
  }

  /**
   * What came after a place.
   * @param after - of an earlier answer; absent, or of a process before, for the place of now
   * @param waitMs - how long to wait for the first one
   */
  async since(after: number | undefined, waitMs: number): Promise<NewRaws> {
    if (after === this.last && !this.isClosed && this.waiting.size < MAX_WAITING) await this.next(waitMs);
    const count = after === undefined ? 0 : Math.min(Math.max(this.last - after, 0), MAX_ANSWER);
    return { last: this.last, hashes: count === 0 ? [] : this.hashes.slice(-count) };
  }

  /** Answers all that wait; later requests do not wait. */
  close(): void {
    this.isClosed = true;
    this.wake();
  }

  private wake(): void {
    for (const done of this.waiting) done();
    this.waiting.clear();
  }

  private next(waitMs: number): Promise<void> {
    return new Promise((done) => {
      const end = () => {
        clearTimeout(timer);
        this.waiting.delete(end);
        done();
      };
      const timer = setTimeout(end, waitMs);
      this.waiting.add(end);
    });
  }
}
