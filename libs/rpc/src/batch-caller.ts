import { setMaxListeners } from 'node:events';
import { isGone, type Caller } from './caller.js';
import type { Connection } from './define-method.js';

/** The caller of a batch, whose calls can all be abandoned while it still waits for the answer. */
export class BatchCaller implements Caller {
  private readonly controller = new AbortController();
  private combined: AbortSignal | undefined;

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
    const { signal } = this.sender;
    const own = this.controller.signal;
    if (this.combined === undefined) {
      this.combined = signal === undefined ? own : AbortSignal.any([own, signal]);
      // Each of its calls may listen.
      setMaxListeners(0, this.combined);
    }
    return this.combined;
  }

  /** Aborts the running calls of the batch: their answers would be discarded. */
  giveUp(): void {
    this.controller.abort();
  }
}
