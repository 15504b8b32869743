import { randomUUID } from 'node:crypto';
import type { Caller } from './caller.js';
import type { CallContext, Connection } from './define-method.js';

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
    return this.aborted || (this.caller.isGone ?? this.caller.signal?.aborted ?? false);
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
