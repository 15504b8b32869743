import type { Endpoint } from '../identity/enode.js';
import type { PeerLimits } from '../limits.js';
import type { Session } from '../session/session.js';
import { PeerStream } from './peer-stream.js';

/** Keeps a stream to one peer, for the session with which this side sends. */
export class StreamOpener {
  private stream: { readonly of: Session; readonly opened: PeerStream } | undefined;
  private opening: Session | undefined;
  private retryMs = 0;
  private isClosed = false;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly options: { readonly limits: PeerLimits; readonly now: () => number },
  ) {}

  /**
   * The open stream of the session. Opens one in the background when the session has none: no message waits for
   * it, and a peer without streams (an earlier version, or behind a proxy that passes no upgrades) gets posts.
   */
  of(session: Session): PeerStream | undefined {
    const { stream } = this;
    if (stream?.of === session && stream.opened.isOpen) return stream.opened;
    if (this.opening === undefined && !this.isClosed && this.options.now() >= this.retryMs)
      void this.open(session);
    return undefined;
  }

  close(): void {
    this.isClosed = true;
    this.stream?.opened.close();
  }

  private async open(session: Session): Promise<void> {
    const { limits, now } = this.options;
    this.opening = session;
    try {
      const opened = await PeerStream.open(this.endpoint, session, {
        timeoutMs: limits.connectTimeoutMs,
        maxBytes: limits.streamBytes,
      });
      this.stream?.opened.retire();
      this.stream = { of: session, opened };
      if (this.isClosed) opened.close();
    } catch {
      this.retryMs = now() + limits.streamRetryMs;
    } finally {
      this.opening = undefined;
    }
  }
}
