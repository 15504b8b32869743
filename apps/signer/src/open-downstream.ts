import { DownstreamClient, type DownstreamProxy } from '@tetrad/signer-downstream';
import { OperatorError, type Metrics } from '@tetrad/types';
import type { SignerConfig } from './config.js';
import { downstreamTls } from './tls/downstream-tls.js';

/** The Ethereum client of the options. Fails: OperatorError when they do not fit together */
export function openDownstream(
  config: SignerConfig,
  { authenticates, metrics }: { readonly authenticates: boolean; readonly metrics: Metrics },
): DownstreamClient {
  const tls = downstreamTls(config);
  return new DownstreamClient({
    url: downstreamUrl(config, tls === undefined ? 'http' : 'https'),
    timeoutMs: config.downstreamHttpRequestTimeout,
    // A token for the proxy is not forwarded; without authentication here it is meant for the client.
    withholdHeaders: authenticates ? ['authorization'] : [],
    tls,
    proxy: proxyOf(config),
    metrics,
  });
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
