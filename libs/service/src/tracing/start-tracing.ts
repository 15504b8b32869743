import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@tetrad/types';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { BoundedExport, MAX_WAITING_SPANS, type BoundedExportOptions } from './bounded-export.js';
import { ContextTracer, type Api } from './context-tracer.js';
import { IncomingParent } from './incoming-parent.js';
import { traceRequests, type RequestTracing } from './request-tracing.js';
import type { TracingSettings } from './tracing-options.js';

const BATCH = { maxQueueSize: MAX_WAITING_SPANS, maxExportBatchSize: 512, scheduledDelayMillis: 1_000 };
/** For one batch, with its repetitions. */
const EXPORT_TIMEOUT_MS = 10_000;
/** Batches under way to the collector; more of them fail. */
const CONCURRENT_EXPORTS = 4;
/** A stop waits no longer for the collector. */
const STOP_MS = 1_000;
/** Characters of an attribute, and attributes of a span. */
const LIMITS = { attributeValueLengthLimit: 256, attributeCountLimit: 16 };

export interface TracingOptions extends BoundedExportOptions {
  readonly version: string;
  /** Tracing is off without them. */
  readonly settings: TracingSettings | undefined;
  /** Name of the service in traces; `tetrad-` and its name without it. */
  readonly serviceName?: string | undefined;
}

/** Starts tracing; undefined, and no package of OpenTelemetry loaded, when it is off. */
export async function startTracing(options: TracingOptions): Promise<RequestTracing | undefined> {
  const { settings, service, version } = options;
  if (settings === undefined) return undefined;
  const api = await import('./open-telemetry.js');
  const byRatio = new api.TraceIdRatioBasedSampler(settings.sampleRatio);
  const provider = new api.BasicTracerProvider({
    resource: api.resourceFromAttributes({
      'service.name': options.serviceName ?? `tetrad-${service}`,
      'service.version': version,
    }),
    sampler: new api.ParentBasedSampler({ root: byRatio }),
    spanProcessors: [exportTo(settings.endpoint, api, options)],
    generalLimits: LIMITS,
  });
  const tracer = new ContextTracer(api, provider.getTracer('tetrad', version));
  const parents = new IncomingParent({
    isInRatio: (traceId) =>
      byRatio.shouldSample(api.ROOT_CONTEXT, traceId).decision === api.SamplingDecision.RECORD_AND_SAMPLED,
    now: () => systemClock.now(),
  });
  return {
    tracer,
    wrap: (handle) => traceRequests(handle, { api, tracer, parents }),
    stop: () =>
      Promise.race([provider.shutdown().catch(() => undefined), pause(STOP_MS, undefined, { ref: false })]),
  };
}

function exportTo(endpoint: URL, api: Api, options: BoundedExportOptions): SpanProcessor {
  const exporter = new api.OTLPTraceExporter({
    url: endpoint.href,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: CONCURRENT_EXPORTS,
  });
  const counted = new BoundedExport(options);
  const limits = { ...BATCH, exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS };
  return counted.bound(new api.BatchSpanProcessor(counted.observe(exporter), limits));
}
