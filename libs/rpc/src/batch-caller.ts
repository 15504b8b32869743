import { setMaxListeners } from 'node:events';
import { isGone, type Caller } from './caller.js';
import type { Connection } from './define-method.js';

/** The caller of a batch, whose calls can all be abandoned while it still waits for the answer. */
export class BatchCaller implements Caller {
  private readonly controller = new AbortController();
  /** The sender's signal, while this listens to it. */
  private followed: AbortSignal | undefined;
  /** Whether no call has asked for the signal yet, and the batch has not ended. */
  private mayFollow = true;

  constructor(private readonly sender: Caller) {}

  get subject(): string | undefined {
    return this.sender.subject;
  }

  get claims(): Caller['claims'] {
    return this.sender.claims;
  }

  get address(): string | undefined {
    return this.sender.address;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.sender.headers;
  }

  get headerValues(): Caller['headerValues'] {
    return this.sender.headerValues;
  }

  get connection(): Connection | undefined {
    return this.sender.connection;
  }

  may(method: string, permission?: string): boolean {
    return this.sender.may?.(method, permission) ?? true;
  }

  get isGone(): boolean {
    return this.controller.signal.aborted || isGone(this.sender);
  }

  get signal(): AbortSignal {
    if (this.mayFollow) this.follow();
    return this.controller.signal;
  }

  /** Aborts the running calls of the batch: their answers would be discarded. */
  readonly giveUp = (): void => this.controller.abort();

  /** Removes the listener from the sender's signal, which outlives the batch when the client stays connected. */
  finish(): void {
    this.mayFollow = false;
    this.followed?.removeEventListener('abort', this.giveUp);
    this.followed = undefined;
  }

  /** Not by `AbortSignal.any`, which leaves an entry at the sender's signal on Node.js 20 (nodejs/node 55351). */
  private follow(): void {
    this.mayFollow = false;
    // Each of its calls may listen.
    setMaxListeners(0, this.controller.signal);
    if (isGone(this.sender)) return this.giveUp();
    this.followed = this.sender.signal;
    this.followed?.addEventListener('abort', this.giveUp);
  }
}
