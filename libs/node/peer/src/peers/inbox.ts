import { LANES, laneOf, type Lane } from '../sending/outbox.js';
import type { PushMessage } from '../wire/push-message.js';

export interface InboxLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** Handles messages of one lane, in their order. */
export type InboxHandler = (messages: readonly PushMessage[]) => Promise<void>;

/** Messages of one peer that were received and wait for their turn; a lane that is full takes none. */
export class Inbox {
  private readonly lanes: Readonly<Record<Lane, LaneInbox>>;

  constructor(limits: InboxLimits, handle: InboxHandler) {
    this.lanes = { urgent: new LaneInbox(limits, handle), bulk: new LaneInbox(limits, handle) };
  }

  /** Takes all of the messages or, when one does not fit, none. */
  offer(messages: readonly PushMessage[]): boolean {
    const names = Object.keys(LANES).filter((name): name is Lane => name in LANES);
    const parts = names.map((lane) => ({
      inbox: this.lanes[lane],
      messages: messages.filter(({ kind }) => laneOf(kind) === lane),
    }));
    if (parts.some(({ inbox, messages: part }) => !inbox.hasRoom(part))) return false;
    for (const { inbox, messages: part } of parts) inbox.add(part);
    return true;
  }

  /** Messages that wait, of both lanes. */
  get size(): number {
    return this.lanes.urgent.size + this.lanes.bulk.size;
  }

  /** Forgets what waits. */
  clear(): void {
    this.lanes.urgent.clear();
    this.lanes.bulk.clear();
  }
}

class LaneInbox {
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

  /** An empty lane takes any one push, so that a message as large as allowed always gets through. */
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
