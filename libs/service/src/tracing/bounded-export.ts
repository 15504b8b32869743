import type { Counter, Logger, Metrics } from '@tetrad/types';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** Spans that wait to be sent; further ones are dropped. */
export const MAX_WAITING_SPANS = 2_048;

export interface BoundedExportOptions {
  /** Name of the service, in front of metric names. */
  readonly service: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

type Done = Parameters<SpanExporter['export']>[1];

/**
 * Counts spans on their way to the collector: those that were sent, those that did not fit, and those that it did not
 * take. A collector that is slow or down costs these spans and nothing else.
 */
export class BoundedExport {
  private readonly exported: Counter;
  private readonly dropped: Counter;
  private waiting = 0;
  private isFailing = false;

  constructor(private readonly options: BoundedExportOptions) {
    const prefix = options.service.replaceAll('-', '_');
    const { metrics } = options;
    this.exported = metrics.counter(
      `${prefix}_tracing_spans_exported_total`,
      'Spans that the collector took',
    );
    this.dropped = metrics.counter(
      `${prefix}_tracing_spans_dropped_total`,
      'Spans that were lost, by reason',
      ['reason'],
    );
  }

  /** The exporter, observed; it takes spans out of the queue that `bound` fills. */
  observe(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) => {
        this.waiting -= spans.length;
        exporter.export(spans, (result) => this.settle(spans.length, result, done));
      },
      shutdown: () => exporter.shutdown(),
      forceFlush: async () => exporter.forceFlush?.(),
    };
  }

  /** The processor behind a queue of bounded length. */
  bound(processor: SpanProcessor): SpanProcessor {
    return {
      onStart: (span, parent) => processor.onStart(span, parent),
      onEnd: (span) => this.enqueue(span, processor),
      shutdown: () => processor.shutdown(),
      forceFlush: () => processor.forceFlush(),
    };
  }

  private enqueue(span: ReadableSpan, processor: SpanProcessor): void {
    if (this.waiting >= MAX_WAITING_SPANS) return this.dropped.increment({ reason: 'queue full' });
    this.waiting += 1;
    processor.onEnd(span);
  }

  /** Codes of the interface: 0 success, 1 failure. */
  private settle(spans: number, result: Parameters<Done>[0], done: Done): void {
    const failed = result.code !== 0;
    if (failed) this.dropped.increment({ reason: 'export failed' }, spans);
    else this.exported.increment({}, spans);
    // One line for each outage, without the collector's answer, which may repeat credentials.
    if (failed !== this.isFailing) {
      if (failed)
        this.options.logger.warn('spans cannot be sent to the collector', { reason: codeOf(result.error) });
      else this.options.logger.info('spans are sent to the collector again');
    }
    this.isFailing = failed;
    done(result);
  }
}

function codeOf(error: Error | undefined): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? String(code) : (error?.name ?? 'unknown');
}
