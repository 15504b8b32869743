import { defineOptions, option, type ConfigOf } from '../define-options.js';
import { fractionOption, urlOption } from '../option-types.js';

const TRACING = 'Tracing';

/** Path of OTLP over HTTP on a collector. */
const OTLP_PATH = '/v1/traces';

/** Traces in OpenTelemetry's protocol, off by default. */
export const tracingOptions = defineOptions({
  tracingEndpoint: option(urlOption('http', 'https'), {
    group: TRACING,
    description: `URL of an OpenTelemetry collector (OTLP over HTTP); turns tracing on. Without a path it is ${OTLP_PATH}.`,
  }),
  tracingSampleRatio: option(fractionOption(), {
    group: TRACING,
    description:
      'Fraction of the traces that are sampled; the others are not sent to the collector. Default: 1, all of them.',
  }),
});

/** Where spans are sent, and of how many traces. */
export interface TracingSettings {
  readonly endpoint: URL;
  /** From 0 to 1. */
  readonly sampleRatio: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Undefined when tracing is off.
 * @param environment - of the process, whose OpenTelemetry variables stand behind the options
 */
export function tracingSettings(
  config: Partial<ConfigOf<typeof tracingOptions>>,
  environment: Environment,
): TracingSettings | undefined {
  const endpoint = config.tracingEndpoint ?? endpointOf(environment);
  if (endpoint === undefined) return undefined;
  return {
    endpoint: withPath(endpoint),
    sampleRatio: config.tracingSampleRatio ?? ratioOf(environment) ?? 1,
  };
}

/** Source: OpenTelemetry specification, OTLP exporter: the general variable is a base URL */
function endpointOf(environment: Environment): URL | undefined {
  if (environment['OTEL_SDK_DISABLED'] === 'true' || environment['OTEL_TRACES_EXPORTER'] === 'none')
    return undefined;
  const traces = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const base = environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const text = traces ?? (base === undefined ? undefined : base.replace(/\/?$/, OTLP_PATH));
  return text === undefined || !URL.canParse(text) ? undefined : new URL(text);
}

function ratioOf({ OTEL_TRACES_SAMPLER_ARG: text }: Environment): number | undefined {
  const ratio = text === undefined || text === '' ? Number.NaN : Number(text);
  return ratio >= 0 && ratio <= 1 ? ratio : undefined;
}

function withPath(endpoint: URL): URL {
  return endpoint.pathname === '/' ? new URL(OTLP_PATH, endpoint) : endpoint;
}
