/** Values of a span: names of methods, hashes, numbers of blocks, codes of errors. Never payloads, keys or raw transactions. */
export type SpanValues = Readonly<Record<string, string | number>>;

/** A position in a trace, as it travels between services: `traceparent` and `tracestate` (W3C Trace Context). */
export type TraceHeaders = Readonly<Record<string, string>>;

export interface SpanOptions {
  readonly values?: SpanValues;
  /** The span's parent when it is in another process or was current earlier; the current span otherwise. */
  readonly below?: TraceHeaders;
}

/** Traces as domain code sees them; `libs/service` implements it. Where tracing is off there is no tracer. */
export interface Tracer {
  /**
   * Runs the task in a span, which ends with the task, or with the promise that it returns. An error leaves its code on
   * the span, and nothing else.
   *
   * @returns what the task returns
   * @throws what the task throws
   */
  run<T>(name: string, task: () => T, options?: SpanOptions): T;
  /** Adds a span of something that began earlier (milliseconds since the epoch) and ends now. */
  record(name: string, options: Required<SpanOptions> & { readonly startMs: number }): void;
  /** Adds values to the current span; without one it does nothing. */
  annotate(values: SpanValues): void;
  /** The current span for a request to another service; empty without a span. */
  headers(): TraceHeaders;
}
