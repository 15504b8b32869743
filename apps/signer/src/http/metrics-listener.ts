import {
  closeGracefully,
  createHostRule,
  createHttpListener,
  listen,
  type ServiceMetrics,
} from '@tetrad/service';

/** EthSigner's kinds of metrics. */
export const METRIC_CATEGORIES = ['HTTP', 'SIGNING', 'JVM', 'PROCESS'] as const;

export type MetricCategory = (typeof METRIC_CATEGORIES)[number];

/** Beginnings of the names of each kind; what a Java machine was there is the Node process here. */
const PREFIXES: Readonly<Record<MetricCategory, readonly string[]>> = {
  HTTP: ['signer_http_', 'signer_rpc_', 'signer_downstream_', 'http_'],
  SIGNING: ['signing_', 'signer_signing_', 'signer_nonce', 'signer_audit', 'signer_polic', 'signer_keys'],
  JVM: ['nodejs_'],
  PROCESS: ['process_', 'tetrad_'],
};

const TIMEOUTS = { headersMs: 10_000, requestMs: 10_000, keepAliveMs: 5_000 };
const MAX_CONNECTIONS = 100;

export interface MetricsListener {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Opens a port on which `/metrics` shows the chosen kinds.
 * @throws StartupError
 */
export async function startMetricsListener(
  metrics: ServiceMetrics,
  options: {
    readonly host: string;
    readonly port: number;
    readonly categories: readonly MetricCategory[];
    readonly hosts: readonly string[];
  },
): Promise<MetricsListener> {
  const isAllowed = createHostRule(options.hosts);
  const server = createHttpListener(
    (request, response) => {
      if (!isAllowed(request.headers.host)) {
        response.writeHead(403, { 'Content-Type': 'application/json' });
        response.end('{"message":"Host not authorized."}');
      } else if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
        response.writeHead(404).end();
      } else {
        void metrics.expose().then((text) => {
          response.writeHead(200, { 'Content-Type': metrics.contentType });
          response.end(selectMetrics(text, options.categories));
        });
      }
    },
    { timeouts: TIMEOUTS, maxConnections: MAX_CONNECTIONS },
  );
  const at = { host: options.host, port: options.port, portOption: '--metrics-port', secure: false };
  const url = await listen(server, at);
  return {
    port: Number(new URL(url).port),
    async stop() {
      await closeGracefully(server, 0);
    },
  };
}

/** The lines of an exposition that belong to the kinds, comments included. */
export function selectMetrics(text: string, categories: readonly MetricCategory[]): string {
  const prefixes = categories.flatMap((category) => PREFIXES[category]);
  return text
    .split('\n')
    .filter((line) => {
      const name = line.replace(/^# (?:HELP|TYPE) /, '');
      return name === '' || prefixes.some((prefix) => name.startsWith(prefix));
    })
    .join('\n');
}
