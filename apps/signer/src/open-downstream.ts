import { TokenFile, type ServiceEnvironment } from '@tetrad/service';
import { DownstreamClient, type DownstreamProxy } from '@tetrad/signer-downstream';
import { OperatorError, systemClock, type Logger } from '@tetrad/types';
import type { SignerConfig } from './config.js';
import { downstreamTls } from './tls/downstream-tls.js';

/**
 * The Ethereum client of the options.
 * @throws OperatorError when they do not fit together
 */
export function openDownstream(
  config: SignerConfig,
  { logger, metrics, tracing }: Pick<ServiceEnvironment, 'logger' | 'metrics' | 'tracing'>,
  { authenticates }: { readonly authenticates: boolean },
): DownstreamClient {
  const tls = downstreamTls(config);
  const token = tokenOf(config, logger);
  return new DownstreamClient({
    url: downstreamUrl(config, tls === undefined ? 'http' : 'https'),
    timeoutMs: config.downstreamHttpRequestTimeout,
    // A token for the proxy is not forwarded; without authentication here it is meant for the client, unless the proxy
    // has one of its own.
    withholdHeaders: authenticates || token !== undefined ? ['authorization'] : [],
    ownHeaders: token && (() => token.headers()),
    tls,
    proxy: proxyOf(config),
    tracer: tracing?.tracer,
    metrics,
  });
}

function tokenOf({ downstreamHttpTokenFile: path }: SignerConfig, logger: Logger): TokenFile | undefined {
  if (path === undefined) return undefined;
  return new TokenFile({ path, flag: '--downstream-http-token-file', logger, clock: systemClock });
}

function downstreamUrl(config: SignerConfig, scheme: 'http' | 'https'): URL {
  const { downstreamHttpHost: host, downstreamHttpPort: port, downstreamHttpPath: path } = config;
  if (/[ &?#=]/.test(path)) throw new OperatorError('Illegal characters detected in --downstream-http-path');
  if (port === config.httpListenPort && host === config.httpListenHost && port !== 0) {
    throw new OperatorError('Http host and port must be different to the downstream host and port.');
  }
  const literal = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const url = `${scheme}://${literal}:${port}/${path.replace(/^\/+/, '')}`;
  if (!URL.canParse(url)) throw new OperatorError(`--downstream-http-host: ${host} is not a valid host name`);
  return new URL(url);
}

function proxyOf(config: SignerConfig): DownstreamProxy | undefined {
  const { downstreamHttpProxyHost: host, downstreamHttpProxyUsername: name } = config;
  const password = config.downstreamHttpProxyPasswordFile?.reveal();
  if (host === undefined) {
    if (name === undefined && password === undefined) return undefined;
    throw new OperatorError('Missing required option(s): --downstream-http-proxy-host');
  }
  const credentials = Buffer.from(`${name ?? ''}:${password ?? ''}`).toString('base64');
  const authorization = name === undefined ? undefined : `Basic ${credentials}`;
  return { host, port: config.downstreamHttpProxyPort, authorization };
}
