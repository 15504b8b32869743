import { TetradError, type Clock } from '@tetrad/types';
import type { Calls } from '../calls.js';
import type { Endpoint } from '../endpoint.js';
import { EtcdError } from '../etcd-error.js';
import { readRange } from '../answers.js';
import { errorOf } from '../refusals.js';
import { rangeBody, watchBody, type EtcdKey } from '../requests.js';
import type { Session } from '../session.js';
import { malformed } from '../wire.js';
import { linesOf } from './lines.js';
import { QuietCheck } from './quiet-check.js';
import { RevisionAssembly, type WatchedRevision } from './revision-assembly.js';
import { readWatchLine, type WatchMessage } from './watch-message.js';

export interface StreamParts {
  readonly calls: Calls;
  readonly session: Session;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
}

export interface StreamOptions {
  readonly prefix: EtcdKey;
  readonly probeKey: EtcdKey | undefined;
  readonly quietMs: number;
  readonly maxLineBytes: number;
  readonly maxRevisionBytes: number;
}

/** Receiver of what a stream delivers. */
export interface StreamListener {
  /** First revision that was not delivered, nor known to hold nothing. */
  readonly nextRevision: bigint;
  /**
   * Cluster and revision of any received line.
   * @throws OtherHistoryError
   */
  heard(clusterId: bigint, revision: bigint): void;
  /** The stream is open. */
  follows(): void;
  /** It has been open for a while, or has delivered. */
  lasts(): void;
  /** @throws as the caller's event handler */
  deliver(revision: WatchedRevision): Promise<void>;
  /** Nothing up to this revision is left to deliver. */
  progress(revision: bigint): void;
}

/** The next revision was compacted. */
export interface Compacted {
  readonly compactRevision: bigint;
}

const MAX_EVENTS = 100_000;
const PROBE_BYTES = 65_536;

/** One stream of a watch, from one endpoint, until it ends. */
export class WatchStream {
  private readonly limit = new AbortController();
  private readonly assembly: RevisionAssembly;
  private readonly check: QuietCheck;
  private token: string | undefined;
  private isOpened = false;
  private death: unknown;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly options: StreamOptions,
    private readonly listener: StreamListener,
    private readonly parts: StreamParts,
  ) {
    const limits = { maxBytes: options.maxRevisionBytes, maxEvents: MAX_EVENTS };
    this.assembly = new RevisionAssembly(endpoint.url, limits);
    this.check = new QuietCheck({
      endpoint: endpoint.url,
      clock: parts.clock,
      quietMs: options.quietMs,
      openingMs: parts.requestTimeoutMs,
      probe: () => this.probe(),
      isBehind: (due) => due >= listener.nextRevision,
      onDead: (error) => this.die(error),
      onAlive: () => listener.lasts(),
    });
  }

  /**
   * Follows until the signal ends it.
   * @throws EtcdError for a stream that broke, is behind, or is inconsistent; OtherHistoryError
   */
  async follow(signal: AbortSignal): Promise<Compacted | undefined> {
    const stop = () => this.limit.abort();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.read();
    } catch (error) {
      if (signal.aborted) return undefined;
      // etcd refuses an expired token with the text for too few rights.
      if (error instanceof EtcdError && error.kind === 'denied') this.parts.session.drop(this.token);
      throw this.death ?? (error instanceof TetradError ? error : this.endpoint.failure(error, false));
    } finally {
      this.check.end();
      this.limit.abort();
      signal.removeEventListener('abort', stop);
    }
  }

  private async read(): Promise<Compacted> {
    const { session, requestTimeoutMs } = this.parts;
    this.token = await session.current(this.endpoint, requestTimeoutMs);
    const target = { prefix: this.options.prefix, fromRevision: this.listener.nextRevision };
    const body = JSON.stringify(watchBody(target));
    const chunks = await this.endpoint.open('watch', body, this.token, this.limit.signal);
    for await (const line of linesOf(chunks, this.options.maxLineBytes, this.endpoint.url)) {
      this.check.lineBegins();
      const compacted = await this.take(readWatchLine(line, this.endpoint.url));
      if (compacted !== undefined) return compacted;
      this.check.lineEnds();
    }
    throw new EtcdError('unavailable', `${this.endpoint.url}: the watch has ended`);
  }

  private async take(message: WatchMessage): Promise<Compacted | undefined> {
    if (message.canceled) return this.canceled(message);
    if (!this.isOpened) {
      if (!message.created) throw malformed(this.endpoint.url, 'a watch that was not opened');
      await this.opened(message);
    }
    for (const revision of this.assembly.take(message, this.listener.nextRevision)) {
      await this.listener.deliver(revision);
      this.listener.lasts();
      // Otherwise a slow consumer of a long line would look like a dead stream.
      this.check.lineBegins();
    }
    // A progress notification follows all events before it: etcd sends both in one order, and progress only to a watch
    // that has caught up (server/storage/mvcc/watchable_store.go, `progressIfSync`). An opening line implies nothing.
    const isProgress = !message.created && !message.isFragment && message.events.length === 0;
    if (isProgress) this.listener.progress(message.revision);
    return undefined;
  }

  /** A member that lags is behind our next revision too; whether the whole cluster is, other members must show. */
  private async opened({ clusterId, revision }: WatchMessage): Promise<void> {
    this.isOpened = true;
    if (revision < this.listener.nextRevision - 1n) await this.probe();
    else this.listener.heard(clusterId, revision);
    this.listener.follows();
  }

  private canceled(message: WatchMessage): Compacted {
    const { compactRevision, cancelReason } = message;
    if (compactRevision > 0n) {
      this.listener.heard(message.clusterId, compactRevision);
      return { compactRevision };
    }
    throw errorOf(this.endpoint.url, cancelReason || 'the watch was cancelled', undefined);
  }

  private async probe(): Promise<bigint> {
    const { probeKey, prefix } = this.options;
    const request = probeKey === undefined ? { key: prefix } : { key: probeKey };
    const answer = await this.parts.calls.at(this.endpoint, {
      name: 'probe',
      path: 'kv/range',
      maxBytes: PROBE_BYTES,
      isSafe: true,
      read: readRange,
      body: rangeBody({ ...request, limit: 1, keysOnly: true }),
    });
    this.listener.heard(answer.clusterId, answer.revision);
    const [entry] = answer.entries;
    return probeKey === undefined ? answer.revision : (entry?.modRevision ?? 0n);
  }

  private die(error: unknown): void {
    this.death = error;
    this.limit.abort();
  }
}
