import { PRIORITIES, priorityOf, type Priority } from '../sending/outbox.js';
import type { PushMessage } from '../wire/push-message.js';

export interface InboxLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** Handles messages of one priority, in order. */
export type InboxHandler = (messages: readonly PushMessage[]) => Promise<void>;

/** Received messages of one peer that wait to be handled; a queue that is full accepts none. */
export class Inbox {
  private readonly queues: Readonly<Record<Priority, PriorityInbox>>;

  constructor(limits: InboxLimits, handle: InboxHandler) {
    this.queues = { urgent: new PriorityInbox(limits, handle), bulk: new PriorityInbox(limits, handle) };
  }

  /** Takes all of the messages or, when one does not fit, none. */
  offer(messages: readonly PushMessage[]): boolean {
    const names = Object.keys(PRIORITIES).filter((name): name is Priority => name in PRIORITIES);
    const parts = names.map((priority) => ({
      inbox: this.queues[priority],
      messages: messages.filter(({ kind }) => priorityOf(kind) === priority),
    }));
    if (parts.some(({ inbox, messages: part }) => !inbox.hasRoom(part))) return false;
    for (const { inbox, messages: part } of parts) inbox.add(part);
    return true;
  }

  /** Messages that wait in both queues. */
  get size(): number {
    return this.queues.urgent.size + this.queues.bulk.size;
  }

  /** Drops all waiting messages. */
  clear(): void {
    this.queues.urgent.clear();
    this.queues.bulk.clear();
  }
}

class PriorityInbox {
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

  /** An empty queue accepts any push, so that a message of the maximum size always gets through. */
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
