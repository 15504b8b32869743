import { AsyncResource } from 'node:async_hooks';
import type { NewRawPayloads, PrivatePayload } from './answers.js';
import type { Outcome } from './outcome.js';

/** Payloads that are kept for their transactions, and their bytes; the oldest are dropped, and looked up when they are needed. */
const MAX_KEPT = 1_024;
const MAX_KEPT_BYTES = 4 * 1_048_576;

/** A feed that no payload was wanted of ends after this time. Units: ms */
const IDLE_MS = 30_000;

/** Pause after a request that failed or that the manager did not let wait, and while many payloads are sent. Units: ms */
const PAUSE_MS = 1_000;

/**
 * Payloads that wait for their signed transaction, which the manager hands over while their clients sign: one request waits for them
 * there as long as private transactions come one by one. What it does not have is looked up, as all are while many are sent at a time: an
 * answer with one or two payloads costs both sides more than their part of a lookup.
 */
export class RawPayloadFeed {
  /** By hash, as text of one character a byte; the oldest first. */
  private readonly kept = new Map<string, PrivatePayload>();
  private keptBytes = 0;
  private wantedMs = 0;
  private notBeforeMs = 0;
  private isRunning = false;
  private isClosed = false;
  /** Bound, so that the feed belongs to no request, nor to its trace. */
  private readonly start = AsyncResource.bind(() => void this.run());

  /**
   * @param ask - asks for what came after a place; waits for the first one
   * @param isBusy - whether so many payloads are sent at the same time that they are looked up together for less
   */
  constructor(
    private readonly ask: (after: number | undefined) => Promise<Outcome<NewRawPayloads>>,
    private readonly isBusy: () => boolean = () => false,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The payload of a hash when it was handed over, once. Begins or continues the feed. */
  take(hash: Uint8Array): PrivatePayload | undefined {
    this.wantedMs = this.now();
    if (!this.isRunning && !this.isClosed && this.wantedMs >= this.notBeforeMs && !this.isBusy())
      this.start();
    return this.drop(nameOf(hash));
  }

  /** The request that waits ends with its connection. */
  close(): void {
    this.isClosed = true;
    this.kept.clear();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    let after: number | undefined;
    while (!this.isClosed && !this.isBusy() && this.now() - this.wantedMs < IDLE_MS) {
      const asked = this.now();
      const outcome = await this.ask(after);
      if (outcome.kind !== 'done') break;
      const { last, payloads } = outcome.value;
      for (const { hash, outcome: found } of payloads)
        if (found.kind === 'found') this.keep(nameOf(hash), found.value);
      // A manager for which too many wait answers at once.
      if (last === after && this.now() - asked < PAUSE_MS) break;
      after = last;
    }
    this.notBeforeMs = this.now() + PAUSE_MS;
    this.isRunning = false;
  }

  private keep(name: string, payload: PrivatePayload): void {
    if (this.isClosed || payload.plaintext.length > MAX_KEPT_BYTES) return;
    this.drop(name);
    this.kept.set(name, payload);
    this.keptBytes += payload.plaintext.length;
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MAX_KEPT && this.keptBytes <= MAX_KEPT_BYTES) break;
      this.drop(oldest);
    }
  }

  private drop(name: string): PrivatePayload | undefined {
    const payload = this.kept.get(name);
    if (payload === undefined) return undefined;
    this.kept.delete(name);
    this.keptBytes -= payload.plaintext.length;
    return payload;
  }
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}
