import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Span } from '@opentelemetry/api';
import { onceClosed } from '@tetrad/rpc';
import type { Tracer } from '@tetrad/types';
import type { Api, ContextTracer } from './context-tracer.js';
import type { IncomingParent } from './incoming-parent.js';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Traces of a service that was started with tracing on. */
export interface RequestTracing {
  readonly tracer: Tracer;
  /** Makes a span of every request, below the caller's span when the request names one (W3C `traceparent`). */
  wrap(handle: RequestHandler): RequestHandler;
  /** Sends the spans that are not sent yet, for a bounded time. */
  stop(): Promise<void>;
}

/** Paths begin with a word that the service defines; what follows may be a key or a hash. */
const FIRST_PART = /^\/[a-z0-9_-]{0,32}/i;

export function traceRequests(
  handle: RequestHandler,
  {
    api,
    tracer,
    parents,
  }: { readonly api: Api; readonly tracer: ContextTracer; readonly parents: IncomingParent },
): RequestHandler {
  return (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const [path = '/'] = FIRST_PART.exec(url) ?? [];
    const values = { 'http.request.method': method, 'url.path': path };
    const kind = api.SpanKind.SERVER;
    const { span, context } = tracer.startBelow(parents.of(request), `${method} ${path}`, { kind, values });
    onceClosed(response, () => endSpan(api, span, response));
    keepContext(request, tracer, context);
    tracer.within(context, () => handle(request, response));
  };
}

/** The body's events come from the socket's chain of calls, not from the one of the handler. */
function keepContext(request: IncomingMessage, tracer: ContextTracer, context: Context): void {
  const emit = request.emit.bind(request) as (...event: unknown[]) => boolean;
  request.emit = (...event: unknown[]) => tracer.within(context, () => emit(...event));
}

function endSpan(api: Api, span: Span, response: ServerResponse): void {
  span.setAttribute('http.response.status_code', response.statusCode);
  if (response.statusCode >= 500 || !response.writableFinished)
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  span.end();
}
