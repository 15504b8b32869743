import type { PeerLimits } from '../limits.js';
import type { Session, SessionId } from '../session/session.js';
import type { PeerClient } from '../transport/peer-client.js';
import type { StreamOpener } from '../transport/stream-opener.js';
import { Inbox, type InboxHandler } from './inbox.js';
import { KnownHashes } from './known.js';
import { RateLimit } from './rate-limit.js';

/** Hashes remembered of one peer. */
const KNOWN_TRANSACTIONS = 16_384;
const KNOWN_BLOCKS = 256;
/** Source: docs/spec/bft.md#messages. */
const KNOWN_CONSENSUS = 1_024;
/** Both sides may have dialled at once, and again after a break that only one of them noticed. */
const MAX_SESSIONS = 4;

export interface PeerConnectionOptions {
  readonly limits: PeerLimits;
  readonly now: () => number;
  readonly client: PeerClient;
  readonly streams: StreamOpener;
  readonly handle: InboxHandler;
  /** Process of the other side. */
  readonly instance: string;
  readonly direction: 'inbound' | 'outbound';
  /** Called with a session that is no longer used. */
  readonly onDetached: (session: SessionId) => void;
  /** Whether sessions that this side began are preferred: true on exactly one of the two sides. */
  readonly prefersOwn: boolean;
}

/** A live connection with one process of a peer: its sessions, and state that lasts as long as they do. */
export class PeerConnection {
  readonly inbox: Inbox;
  readonly client: PeerClient;
  readonly streams: StreamOpener;
  readonly instance: string;
  readonly direction: 'inbound' | 'outbound';
  readonly known = {
    transactions: new KnownHashes(KNOWN_TRANSACTIONS),
    blocks: new KnownHashes(KNOWN_BLOCKS),
    consensus: new KnownHashes(KNOWN_CONSENSUS),
  };
  readonly messageRate: RateLimit;
  readonly byteRate: RateLimit;
  readonly noticeRate: RateLimit;
  readonly openedMs: number;
  lastHeardMs: number;
  lastPingMs: number;
  missedPings = 0;
  isClosed = false;
  private sessions: Session[] = [];

  constructor(private readonly options: PeerConnectionOptions) {
    const { limits, now, client, streams, handle, instance, direction } = options;
    this.client = client;
    this.streams = streams;
    this.instance = instance;
    this.direction = direction;
    this.inbox = new Inbox({ messages: limits.inboxMessages, bytes: limits.inboxBytes }, handle);
    this.messageRate = new RateLimit(limits.messagesPerSecond, now);
    this.byteRate = new RateLimit(limits.bytesPerSecond, now);
    this.noticeRate = new RateLimit(limits.noticesPerSecond, now);
    this.openedMs = now();
    this.lastHeardMs = this.openedMs;
    this.lastPingMs = this.openedMs;
  }

  /**
   * The session to send with. Both sides choose the same of several: the newest of those that the preferred side began.
   */
  get session(): Session | undefined {
    const preferred = this.sessions.filter(({ isOutbound }) => isOutbound === this.options.prefersOwn);
    return preferred.at(-1) ?? this.sessions.at(-1);
  }

  /** Adds a session; beyond the limit the oldest session that is not in use is dropped. */
  attach(session: Session): void {
    this.sessions.push(session);
    if (this.sessions.length <= MAX_SESSIONS) return;
    const oldest = this.sessions.find((one) => one !== this.session);
    if (oldest !== undefined) this.detach(oldest.id);
  }

  detach(id: SessionId): void {
    this.sessions = this.sessions.filter((session) => session.id !== id);
    this.options.onDetached(id);
  }

  close(): void {
    this.isClosed = true;
    for (const { id } of this.sessions) this.detach(id);
    this.inbox.clear();
    this.client.close();
    this.streams.close();
  }
}
