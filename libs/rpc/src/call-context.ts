import { randomUUID } from 'node:crypto';
import { isGone, type Caller } from './caller.js';
import type { CallContext, Connection } from './define-method.js';
import type { FairTurns } from './fair-turns.js';

/** Costly parts are created when a handler asks for them; most never do. */
export class LazyCallContext implements CallContext {
  private id: string | undefined;
  private controller: AbortController | undefined;
  private aborted = false;
  /** See `forward`. */
  forwarded: unknown;

  constructor(
    private readonly caller: Caller,
    readonly callId: CallContext['callId'],
    readonly calledAs: string,
    private readonly turns: Pick<FairTurns, 'next'>,
  ) {}

  get requestId(): string {
    return (this.id ??= randomUUID());
  }

  get headers(): Readonly<Record<string, string>> {
    return this.caller.headers;
  }

  get headerValues(): CallContext['headerValues'] {
    return this.caller.headerValues;
  }

  get subject(): string | undefined {
    return this.caller.subject;
  }

  get claims(): CallContext['claims'] {
    return this.caller.claims;
  }

  get address(): string | undefined {
    return this.caller.address;
  }

  get connection(): Connection | undefined {
    return this.caller.connection;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      const { signal } = this.caller;
      if (this.aborted || signal?.aborted === true) this.abort();
      else signal?.addEventListener('abort', this.abort);
    }
    return this.controller.signal;
  }

  get isAbandoned(): boolean {
    return this.aborted || isGone(this.caller);
  }

  giveWay(): Promise<void> | undefined {
    this.assertWanted();
    return this.turns.next(this.caller)?.then(() => this.assertWanted());
  }

  private assertWanted(): void {
    if (this.isAbandoned) this.signal.throwIfAborted();
  }

  forward(answer: unknown): void {
    this.forwarded = answer;
  }

  /** Aborts the call's signal: its client no longer waits. */
  readonly abort = (): void => {
    this.aborted = true;
    this.controller?.abort();
  };

  /** Removes the listener from the caller's signal, which outlives the call when the client stays connected. */
  finish(): void {
    if (this.controller !== undefined) this.caller.signal?.removeEventListener('abort', this.abort);
  }
}
