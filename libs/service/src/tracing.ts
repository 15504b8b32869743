import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes a span of every request, under the caller's trace when it sent one (W3C `traceparent`). */
export interface RequestTracing {
  wrap(handle: RequestHandler): RequestHandler;
  /** Sends the spans that are not sent yet. */
  stop(): Promise<void>;
}

/** The part of the API with values; loaded only when tracing is on. */
type Api = typeof OpenTelemetry;

/**
 * Tracing, configured by OpenTelemetry's own environment variables; undefined, and nothing loaded, when they do not
 * enable it. The exporter and the sampler read the rest of the variables themselves.
 */
export async function startTracing(options: {
  readonly service: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): Promise<RequestTracing | undefined> {
  const { environment } = options;
  const endpoint =
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (endpoint === undefined || environment['OTEL_SDK_DISABLED'] === 'true') return undefined;
  if (environment['OTEL_TRACES_EXPORTER'] === 'none') return undefined;

  const [api, { BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': environment['OTEL_SERVICE_NAME'] ?? `tetrad-${options.service}`,
      'service.version': options.version,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  // Makes spans started inside a request children of it, and outgoing calls able to pass the trace on.
  provider.register();
  const tracer = provider.getTracer('tetrad-service', options.version);
  return {
    wrap: (handle) => traced(handle, api, tracer),
    stop: () => provider.shutdown(),
  };
}

function traced(handle: RequestHandler, api: Api, tracer: Tracer): RequestHandler {
  return (request, response) => {
    const parent: Context = api.propagation.extract(api.ROOT_CONTEXT, request.headers);
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const span = tracer.startSpan(
      `${request.method ?? 'GET'} ${path}`,
      {
        kind: api.SpanKind.SERVER,
        attributes: { 'http.request.method': request.method ?? 'GET', 'url.path': path },
      },
      parent,
    );
    response.once('close', () => endSpan(api, span, response));
    api.context.with(api.trace.setSpan(parent, span), () => handle(request, response));
  };
}

function endSpan(api: Api, span: Span, response: ServerResponse): void {
  span.setAttribute('http.response.status_code', response.statusCode);
  if (response.statusCode >= 500 || !response.writableFinished) {
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end();
}
