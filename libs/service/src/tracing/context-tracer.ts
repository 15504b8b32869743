import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  parseTraceHeaders,
  writeTraceHeaders,
  type SpanOptions,
  type SpanValues,
  type TraceHeaders,
  type TraceParent,
  type Tracer,
} from '@tetrad/types';
import type { Context, Span, SpanKind, Tracer as OpenTelemetryTracer } from '@opentelemetry/api';
import type * as OpenTelemetry from './open-telemetry.js';

/** OpenTelemetry's packages, which are loaded only when tracing is on. */
export type Api = typeof OpenTelemetry;

const NO_HEADERS: TraceHeaders = {};

/** Spans of one process. The current span is kept per chain of asynchronous calls, without global state. */
export class ContextTracer implements Tracer {
  private readonly contexts = new AsyncLocalStorage<Context>();
  /**
   * The headers below every span that is not sampled. They are the same for all, so that requests of several callers can
   * still travel in one batch, and make the next service not sample either.
   */
  private readonly unsampled = writeTraceHeaders({
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    isSampled: false,
    tracestate: undefined,
  });

  constructor(
    private readonly api: Api,
    private readonly tracer: OpenTelemetryTracer,
  ) {}

  run<T>(name: string, task: () => T, { values, below }: SpanOptions = {}): T {
    const parent = below === undefined ? this.current : this.contextBelow(parseTraceHeaders(below));
    const span = this.tracer.startSpan(name, values === undefined ? {} : { attributes: values }, parent);
    return this.within(this.api.trace.setSpan(parent, span), () => this.untilEnd(span, task));
  }

  record(
    name: string,
    { values, below, startMs }: Required<SpanOptions> & { readonly startMs: number },
  ): void {
    const parent = this.contextBelow(parseTraceHeaders(below));
    this.tracer.startSpan(name, { attributes: values, startTime: startMs }, parent).end();
  }

  annotate(values: SpanValues): void {
    this.api.trace.getSpan(this.current)?.setAttributes(values);
  }

  headers(): TraceHeaders {
    const span = this.api.trace.getSpanContext(this.current);
    if (span === undefined) return NO_HEADERS;
    const { traceId, spanId, traceFlags, traceState } = span;
    if ((traceFlags & this.api.TraceFlags.SAMPLED) === 0) return this.unsampled;
    return writeTraceHeaders({ traceId, spanId, isSampled: true, tracestate: traceState?.serialize() });
  }

  /** Starts a span below one of another process, and gives the context in which it is current. */
  startBelow(
    parent: TraceParent | undefined,
    name: string,
    { kind, values }: { readonly kind: SpanKind; readonly values: SpanValues },
  ): { readonly span: Span; readonly context: Context } {
    const above = this.contextBelow(parent);
    const span = this.tracer.startSpan(name, { kind, attributes: values }, above);
    return { span, context: this.api.trace.setSpan(above, span) };
  }

  within<T>(context: Context, task: () => T): T {
    return this.contexts.run(context, task);
  }

  /** What still runs after the end of its span, such as a timer that a request started, is not part of the trace. */
  private get current(): Context {
    const { ROOT_CONTEXT, TraceFlags, trace } = this.api;
    const context = this.contexts.getStore() ?? ROOT_CONTEXT;
    const span = trace.getSpan(context);
    if (span === undefined) return ROOT_CONTEXT;
    const isSampled = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
    return isSampled && !span.isRecording() ? ROOT_CONTEXT : context;
  }

  private contextBelow(parent: TraceParent | undefined): Context {
    const { ROOT_CONTEXT, TraceFlags, trace, createTraceState } = this.api;
    if (parent === undefined) return ROOT_CONTEXT;
    const { traceId, spanId, isSampled, tracestate } = parent;
    return trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId,
      isRemote: true,
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
    });
  }

  private untilEnd<T>(span: Span, task: () => T): T {
    try {
      const result = task();
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      return result.then(
        (value: unknown) => {
          span.end();
          return value;
        },
        (error: unknown) => this.fail(span, error),
      ) as T;
    } catch (error) {
      return this.fail(span, error);
    }
  }

  /** The message of an error may hold parameters of the call, so only its code is kept. */
  private fail(span: Span, error: unknown): never {
    span.setAttribute('error.type', codeOf(error));
    span.setStatus({ code: this.api.SpanStatusCode.ERROR });
    span.end();
    throw error;
  }
}

function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === 'string' || typeof code === 'number') return String(code);
  return typeof name === 'string' ? name : 'unknown';
}
