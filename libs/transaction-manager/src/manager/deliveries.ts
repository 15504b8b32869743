import { backOffMs, type Logger, type Metrics } from '@tetrad/types';
import type { Enclave } from '../enclave/enclave.js';
import { ManagerError } from '../manager-error.js';
import { toBase64 } from '../payload/base64.js';
import { decodeBinaryPayload } from '../payload/binary-payload.js';
import type { PayloadStore } from '../store/payload-store.js';
import type { StoredPayload } from '../store/stored-payload.js';
import { deliver, type PayloadDeliveryParts } from './deliver.js';
import { NamedTurns } from './named-turns.js';

export interface DeliveriesParts extends PayloadDeliveryParts {
  readonly enclave: Pick<Enclave, 'ring'>;
  readonly store: Pick<
    PayloadStore,
    'add' | 'find' | 'settle' | 'withdraw' | 'undelivered' | 'isUndelivered'
  >;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Time that delivered payloads gather before one statement says so. Units: ms */
const SETTLE_MS = 200;

/** Payloads that are delivered again at a time. */
const MAX_AGAIN = 16;

const PAUSES = { firstMs: 1_000, maxMs: 60_000 };

/**
 * Stores payloads of ours while they are delivered, so that the waits for our disk and for those of the recipients pass together. A
 * payload is stored with a mark that recipients may lack it. Those that a process left with the mark when it died are delivered again,
 * which changes nothing where they had been (docs/adr/0282).
 */
export class Deliveries {
  /** By hash as base64: recipients may lack them, and nothing that is under way will tell. */
  private readonly doubtful = new Map<string, Uint8Array>();
  /** Delivered, and not noted in the database yet. */
  private readonly delivered = new Map<string, Uint8Array>();
  private readonly turns = new NamedTurns();
  private settling: NodeJS.Timeout | undefined;
  private retrying: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failures = 0;
  private isClosed = false;

  constructor(private readonly parts: DeliveriesParts) {
    const undelivered = parts.metrics.gauge(
      'transaction_manager_undelivered_payloads',
      'Payloads that recipients may lack since a manager died while it sent them; they are delivered again',
    );
    parts.metrics.onScrape(() => undelivered.set(this.doubtful.size));
  }

  /** Reads which payloads a process before left undelivered. Before that nothing is sent or answered. */
  async open(): Promise<void> {
    for (const hash of await this.parts.store.undelivered()) this.doubtful.set(toBase64(hash), hash);
    if (this.doubtful.size === 0) return;
    const count = this.doubtful.size;
    this.parts.logger.info('payloads may not have reached all recipients: they are delivered again', {
      count,
    });
    this.retryLater();
  }

  /** What is delivered is noted; the rest is delivered again after the next start. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retrying);
    clearTimeout(this.settling);
    await this.running;
    if (this.delivered.size > 0) await this.settleAll();
  }

  /** Work with one payload after the other. */
  oneAtATime<Result>(hash: Uint8Array, work: () => Promise<Result>): Promise<Result> {
    return this.turns.take(toBase64(hash), work);
  }

  /**
   * Stores a payload while it is delivered; one whose delivery fails is removed.
   * @returns whether it was stored; false where there is one of its hash
   * @throws as the delivery and the store
   */
  async send(row: StoredPayload, deliverIt: () => Promise<void>): Promise<boolean> {
    const adding = this.parts.store.add({ ...row, undelivered: true });
    const [added, delivered] = await Promise.allSettled([adding, deliverIt()]);
    // Whether it was stored is not known then.
    if (added.status === 'rejected') this.doubt(row.hash);
    else if (added.value && delivered.status === 'rejected') await this.withdraw(row.hash);
    else if (added.value) this.settle(row.hash);
    if (delivered.status === 'rejected') throw delivered.reason;
    if (added.status === 'rejected') throw added.reason;
    return added.value;
  }

  /**
   * Has a payload that was sent before delivered to all recipients, where they may lack it.
   * @throws as `deliver`
   */
  async complete(hash: Uint8Array): Promise<void> {
    const name = toBase64(hash);
    if (this.delivered.has(name)) return;
    if (!this.doubtful.has(name) && !(await this.parts.store.isUndelivered(hash))) return;
    this.doubt(hash);
    await this.deliverAgain(hash);
  }

  /**
   * Waits for a send of the payload that is under way.
   * @throws ManagerError 503 where recipients may lack the payload
   */
  async assertDelivered(hash: Uint8Array): Promise<void> {
    await this.oneAtATime(hash, async () => undefined);
    const name = toBase64(hash);
    if (this.doubtful.has(name))
      throw new ManagerError('unavailable', `it is not known whether all recipients have ${name}`);
  }

  private doubt(hash: Uint8Array): void {
    this.doubtful.set(toBase64(hash), hash);
    this.retryLater();
  }

  private async withdraw(hash: Uint8Array): Promise<void> {
    // The reason of the failed delivery is what the client has to know.
    await this.parts.store.withdraw(hash).catch(() => this.doubt(hash));
  }

  private settle(hash: Uint8Array): void {
    const name = toBase64(hash);
    this.doubtful.delete(name);
    this.delivered.set(name, hash);
    this.settleLater();
  }

  private settleLater(): void {
    if (this.isClosed) return;
    this.settling ??= setTimeout(() => void this.settleAll(), SETTLE_MS).unref();
  }

  private async settleAll(): Promise<void> {
    const hashes = [...this.delivered.values()];
    try {
      await this.parts.store.settle(hashes);
      for (const hash of hashes) this.delivered.delete(toBase64(hash));
    } catch (error) {
      this.parts.logger.debug('deliveries were not noted yet', { error: String(error) });
    }
    this.settling = undefined;
    if (this.delivered.size > 0) this.settleLater();
  }

  private retryLater(): void {
    if (this.isClosed || this.running !== undefined) return;
    this.retrying ??= setTimeout(
      () => {
        this.retrying = undefined;
        this.running = this.deliverAllAgain().finally(() => {
          this.running = undefined;
          if (this.doubtful.size > 0) this.retryLater();
        });
      },
      backOffMs(this.failures, PAUSES),
    ).unref();
  }

  private async deliverAllAgain(): Promise<void> {
    const waiting = this.doubtful.values();
    let failed: unknown;
    const deliverSome = async () => {
      for (const hash of waiting) {
        if (this.isClosed) return;
        await this.deliverAgain(hash).catch((error: unknown) => (failed = error));
      }
    };
    await Promise.all(Array.from({ length: MAX_AGAIN }, deliverSome));
    this.failures = failed === undefined ? 0 : this.failures + 1;
    if (failed === undefined) return;
    const [count, error] = [this.doubtful.size, (failed as Error).message];
    this.parts.logger.warn('recipients may lack payloads, which are delivered again later', { count, error });
  }

  private async deliverAgain(hash: Uint8Array): Promise<void> {
    const encoded = await this.parts.store.find(hash);
    if (encoded !== undefined) {
      const payload = decodeBinaryPayload(encoded);
      const { ring } = this.parts.enclave;
      const elsewhere = payload.recipientKeys.filter((key) => !ring.has(key));
      await deliver(payload, elsewhere, this.parts);
    }
    this.settle(hash);
  }
}
