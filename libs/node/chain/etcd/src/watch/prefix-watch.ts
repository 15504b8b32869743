import {
  TetradError,
  backOffMs,
  pause,
  spreadMs,
  type Counter,
  type Logger,
  type Metrics,
} from '@tetrad/types';
import type { Endpoint } from '../endpoint.js';
import type { EndpointRotation } from '../endpoint-rotation.js';
import { EtcdError, oneLine, textOf } from '../etcd-error.js';
import { SILENCE_MS } from './quiet-check.js';
import type { WatchedRevision } from './revision-assembly.js';
import type { Watch, WatchOptions } from './watch-options.js';
import { WatchStream, type Compacted, type StreamListener, type StreamParts } from './watch-stream.js';

/** Another cluster answers, or one that has forgotten what it said. */
class OtherHistoryError extends TetradError {
  override readonly name = 'OtherHistoryError';
  override readonly code: string = 'ETCD_OTHER_HISTORY';
}

export interface WatchParts extends StreamParts {
  readonly rotation: EndpointRotation;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const QUIET_MS = 5_000;
const MAX_BYTES = 32 * 1_048_576;
const PAUSES = { firstMs: 50, maxMs: 5_000 };

/** Follows a prefix over one stream after the other, on any endpoint that works. */
export class PrefixWatch implements Watch, StreamListener {
  readonly ended: Promise<void>;
  private next: bigint;
  private clusterId: bigint | undefined;
  private trouble: string | undefined;
  /** Set when the event handler of the caller fails. */
  private refused: { readonly error: unknown } | undefined;
  /** Streams in a row that did not last. */
  private failures = 0;
  /** Streams in a row that had nothing to deliver. */
  private fruitless = 0;
  private readonly closing = new AbortController();
  private readonly openings: Counter;

  constructor(
    private readonly options: WatchOptions,
    private readonly parts: WatchParts,
  ) {
    this.next = options.fromRevision;
    this.clusterId = options.clusterId;
    const help = 'Streams that watches have opened';
    this.openings = parts.metrics.counter('node_etcd_watch_openings_total', help);
    const close = () => this.close();
    if (options.signal?.aborted === true) this.close();
    options.signal?.addEventListener('abort', close, { once: true });
    this.ended = this.run().finally(() => options.signal?.removeEventListener('abort', close));
  }

  get nextRevision(): bigint {
    return this.next;
  }

  close(): void {
    this.closing.abort();
  }

  follows(): void {
    this.tell(undefined);
  }

  lasts(): void {
    this.failures = 0;
  }

  progress(revision: bigint): void {
    if (revision >= this.next) this.next = revision + 1n;
  }

  heard(clusterId: bigint, revision: bigint): void {
    this.clusterId ??= clusterId;
    if (clusterId !== this.clusterId)
      throw new OtherHistoryError(`etcd is another cluster: ${clusterId}, not ${this.clusterId}`);
    if (revision >= this.next - 1n) return;
    const problem = `etcd is at revision ${revision} and was at ${this.next - 1n}: it has older data`;
    throw new OtherHistoryError(problem);
  }

  async deliver({ revision, events }: WatchedRevision): Promise<void> {
    if (this.closing.signal.aborted) return;
    try {
      await this.options.onEvents(events, revision);
    } catch (error) {
      this.refused = { error };
      throw error;
    }
    this.next = revision + 1n;
    this.fruitless = 0;
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    // The caller gets the watch before its first callback.
    await Promise.resolve();
    while (!signal.aborted) {
      const endpoint = this.parts.rotation.order()[0];
      const compacted = await this.tryEndpoint(endpoint);
      if (compacted !== undefined && !signal.aborted) {
        this.close();
        this.callBack(() => this.options.onCompacted(compacted.compactRevision));
      }
      if (!signal.aborted) await this.pause(signal);
    }
  }

  private async tryEndpoint(endpoint: Endpoint): Promise<Compacted | undefined> {
    this.openings.increment();
    this.refused = undefined;
    try {
      return await this.streamOf(endpoint).follow(this.closing.signal);
    } catch (error) {
      this.failures++;
      this.fruitless++;
      this.onFailure(endpoint, error);
      return undefined;
    }
  }

  private streamOf(endpoint: Endpoint): WatchStream {
    const { prefix, probeKey, quietMs = QUIET_MS } = this.options;
    const { maxLineBytes = MAX_BYTES, maxRevisionBytes = MAX_BYTES } = this.options;
    // Without a probe key, other writers of the cluster must not make this watch read their history every few seconds.
    const fruitless = probeKey === undefined ? this.fruitless : 0;
    const longer = backOffMs(fruitless + 1, { firstMs: quietMs, maxMs: SILENCE_MS });
    const patience = Math.max(quietMs, longer);
    const bounds = { maxLineBytes, maxRevisionBytes, quietMs: patience };
    return new WatchStream(endpoint, { prefix, probeKey, ...bounds }, this, this.parts);
  }

  private onFailure(endpoint: Endpoint, error: unknown): void {
    if (this.refused !== undefined) {
      const { error: cause } = this.refused;
      this.parts.logger.error('a watched revision is not taken', { revision: this.next, error: cause });
      this.tell(`revision ${this.next} is not taken: ${textOf(cause)}`);
    } else if (error instanceof OtherHistoryError) {
      this.close();
      this.callBack(() => this.options.onOtherHistory(`${endpoint.url}: ${error.message}`));
    } else {
      const problem = error instanceof EtcdError ? error.message : textOf(error);
      this.parts.rotation.failed(endpoint, problem);
      this.tell(problem);
    }
  }

  private tell(problem: string | undefined): void {
    const line = problem === undefined ? undefined : oneLine(problem);
    if (line === this.trouble || this.closing.signal.aborted) return;
    this.trouble = line;
    this.callBack(() => this.options.onTrouble(line));
  }

  /** Calls back; the watch goes on when the callback fails. */
  private callBack(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.parts.logger.error('a callback of a watch failed', { error });
    }
  }

  private pause(signal: AbortSignal): Promise<void> {
    const pauseMs = spreadMs(backOffMs(this.failures + 1, PAUSES), Math.random());
    return pause(this.parts.clock, pauseMs, signal);
  }
}
