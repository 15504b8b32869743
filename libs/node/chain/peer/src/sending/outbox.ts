import {
  MESSAGE_OVERHEAD,
  MAX_PUSH_MESSAGES,
  PUSH_KINDS,
  type PushKind,
  type PushMessage,
} from '../wire/push-message.js';

/** Kinds by priority, each sent on its own, so that bulk messages never delay consensus. */
export const PRIORITIES = {
  urgent: ['leave', 'consensus', 'head', 'unrecorded', 'clock'],
  bulk: ['block', 'notice', 'hash', 'transaction'],
} as const satisfies Record<string, readonly PushKind[]>;

export type Priority = keyof typeof PRIORITIES;

export interface OutboxLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** The priority of a kind. */
export function priorityOf(kind: PushKind): Priority {
  const urgent: readonly PushKind[] = PRIORITIES.urgent;
  return urgent.includes(kind) ? 'urgent' : 'bulk';
}

/**
 * Messages that wait for one peer, within limits. When it is full, the oldest message of the least important kind is
 * dropped first: transactions, then hashes, notices, blocks, heads, and consensus last.
 */
export class Outbox {
  private readonly queues = new Map<PushKind, PushMessage[]>(PUSH_KINDS.map((kind) => [kind, []]));
  private size = { messages: 0, bytes: 0 };

  constructor(
    private readonly limits: OutboxLimits,
    private readonly onDrop: (kind: PushKind) => void = () => undefined,
  ) {}

  get messages(): number {
    return this.size.messages;
  }

  get bytes(): number {
    return this.size.bytes;
  }

  has(priority: Priority): boolean {
    return PRIORITIES[priority].some((kind) => this.queue(kind).length > 0);
  }

  put(message: PushMessage): void {
    if (isReplaced(message.kind)) this.empty(message.kind);
    this.queue(message.kind).push(message);
    this.count(message, 1);
    this.shrink();
  }

  /** Takes what goes into one push: the priority's most important first, at most so many bytes but at least one. */
  take(priority: Priority, maxBytes: number): PushMessage[] {
    const taken: PushMessage[] = [];
    let bytes = 0;
    for (const kind of PRIORITIES[priority]) {
      const queue = this.queue(kind);
      let count = 0;
      for (; count < queue.length && taken.length < MAX_PUSH_MESSAGES; count++) {
        const message = queue[count];
        if (message === undefined) break;
        const size = sizeOf(message);
        const isAlone = message.trace !== undefined;
        if (taken.length > 0 && (isAlone || bytes + size > maxBytes)) break;
        // A traced message leaves no room for another.
        bytes += isAlone ? maxBytes : size;
        taken.push(message);
        this.count(message, -1);
      }
      queue.splice(0, count);
      if (queue.length > 0) break;
    }
    return taken;
  }

  /** Puts messages that could not be sent back to where they were. */
  restore(messages: readonly PushMessage[]): void {
    for (const message of [...messages].reverse()) {
      if (isReplaced(message.kind) && this.queue(message.kind).length > 0) continue;
      this.queue(message.kind).unshift(message);
      this.count(message, 1);
    }
    this.shrink();
  }

  /** Drops all but the newest consensus messages, which a peer that reconnects soon still needs. */
  keepConsensus(most: number): void {
    for (const kind of PUSH_KINDS) if (kind !== 'consensus') this.empty(kind);
    const queue = this.queue('consensus');
    for (const message of queue.splice(0, Math.max(0, queue.length - most))) this.count(message, -1);
  }

  private shrink(): void {
    for (const kind of [...PUSH_KINDS].reverse()) {
      const queue = this.queue(kind);
      let dropped = 0;
      while (this.isOver() && dropped < queue.length) {
        const message = queue[dropped++];
        if (message !== undefined) this.count(message, -1);
        this.onDrop(kind);
      }
      queue.splice(0, dropped);
    }
  }

  private isOver(): boolean {
    return this.size.messages > this.limits.messages || this.size.bytes > this.limits.bytes;
  }

  private empty(kind: PushKind): void {
    for (const message of this.queue(kind).splice(0)) this.count(message, -1);
  }

  private count(message: PushMessage, sign: 1 | -1): void {
    this.size.messages += sign;
    this.size.bytes += sign * sizeOf(message);
  }

  private queue(kind: PushKind): PushMessage[] {
    const queue = this.queues.get(kind);
    if (queue === undefined) throw new TypeError(`no queue of ${kind}`);
    return queue;
  }
}

/** Whether a newer message of the kind replaces an older one. */
function isReplaced(kind: PushKind): boolean {
  return kind === 'head' || kind === 'unrecorded' || kind === 'clock';
}

function sizeOf({ payload }: PushMessage): number {
  return payload.length + MESSAGE_OVERHEAD;
}
