import { TRACKS, trackOf, type Track } from '../sending/outbox.js';
import type { PushMessage } from '../wire/push-message.js';

export interface InboxLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** Handles messages of one track, in their order. */
export type InboxHandler = (messages: readonly PushMessage[]) => Promise<void>;

/** Messages of one peer that were received and wait for their turn; a track that is full takes none. */
export class Inbox {
  private readonly tracks: Readonly<Record<Track, TrackInbox>>;

  constructor(limits: InboxLimits, handle: InboxHandler) {
    this.tracks = { urgent: new TrackInbox(limits, handle), bulk: new TrackInbox(limits, handle) };
  }

  /** Takes all of the messages or, when one does not fit, none. */
  offer(messages: readonly PushMessage[]): boolean {
    const names = Object.keys(TRACKS).filter((name): name is Track => name in TRACKS);
    const parts = names.map((track) => ({
      inbox: this.tracks[track],
      messages: messages.filter(({ kind }) => trackOf(kind) === track),
    }));
    if (parts.some(({ inbox, messages: part }) => !inbox.hasRoom(part))) return false;
    for (const { inbox, messages: part } of parts) inbox.add(part);
    return true;
  }

  /** Messages that wait, of both tracks. */
  get size(): number {
    return this.tracks.urgent.size + this.tracks.bulk.size;
  }

  /** Forgets what waits. */
  clear(): void {
    this.tracks.urgent.clear();
    this.tracks.bulk.clear();
  }
}

class TrackInbox {
  private waiting: PushMessage[] = [];
  private bytes = 0;
  private isWorking = false;

  constructor(
    private readonly limits: InboxLimits,
    private readonly handle: InboxHandler,
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  /** An empty track takes any one push, so that a message as large as allowed always gets through. */
  hasRoom(messages: readonly PushMessage[]): boolean {
    if (messages.length === 0 || this.waiting.length === 0) return true;
    return (
      this.waiting.length + messages.length <= this.limits.messages &&
      this.bytes + bytesOf(messages) <= this.limits.bytes
    );
  }

  add(messages: readonly PushMessage[]): void {
    if (messages.length === 0) return;
    this.waiting.push(...messages);
    this.bytes += bytesOf(messages);
    if (!this.isWorking) void this.work();
  }

  clear(): void {
    this.waiting = [];
    this.bytes = 0;
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    try {
      while (this.waiting.length > 0) {
        const messages = this.waiting;
        this.clear();
        await this.handle(messages);
      }
    } finally {
      this.isWorking = false;
    }
  }
}

function bytesOf(messages: readonly PushMessage[]): number {
  return messages.reduce((sum, { payload }) => sum + payload.length, 0);
}
