import type { Address } from '@tetrad/types';
import type { MachineEvent } from '../machine/events.js';
import type { ConsensusMessage } from '../messages/consensus-message.js';

/** Limits on waiting messages, per validator and in bytes of all; dropped messages are made up for by round changes. */
const MAX_PER_SENDER = 256;
const MAX_BYTES = 64 * 1024 * 1024;

interface Waiting {
  readonly message: ConsensusMessage;
  readonly bytes: number;
}

/**
 * Events in the order in which they are handled: the node's own first, then messages as they arrived.
 *
 * The node's own are few by nature: timers, one candidate, one validation and one head at a time.
 */
export class EventQueue {
  private readonly own: MachineEvent[] = [];
  private readonly messages: Waiting[] = [];
  private readonly perSender = new Map<Address, number>();
  private bytes = 0;

  push(event: MachineEvent): void {
    this.own.push(event);
  }

  /** @returns false when the queue is full */
  pushMessage(message: ConsensusMessage, bytes: number): boolean {
    const waiting = this.perSender.get(message.sender) ?? 0;
    if (waiting >= MAX_PER_SENDER || this.bytes + bytes > MAX_BYTES) return false;
    this.perSender.set(message.sender, waiting + 1);
    this.bytes += bytes;
    this.messages.push({ message, bytes });
    return true;
  }

  take(): MachineEvent | undefined {
    const own = this.own.shift();
    if (own !== undefined) return own;
    const next = this.messages.shift();
    if (next === undefined) return undefined;
    this.release(next);
    return { type: 'message', message: next.message };
  }

  clear(): void {
    this.own.length = 0;
    this.messages.length = 0;
    this.perSender.clear();
    this.bytes = 0;
  }

  private release({ message: { sender }, bytes }: Waiting): void {
    this.bytes -= bytes;
    const left = (this.perSender.get(sender) ?? 1) - 1;
    if (left > 0) this.perSender.set(sender, left);
    else this.perSender.delete(sender);
  }
}
