import { createSecureContext } from 'node:tls';
import type { Clock, Logger, Metrics } from '@tetrad/types';

/** Certificates for https: of this client, and the authorities that it trusts. PEM. */
export interface EtcdTls {
  /** Authorities that sign the certificates of etcd; those of the system without it. */
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

export interface EtcdCredentials {
  readonly user: string;
  readonly password: string;
}

export interface EtcdSettings {
  /** `http://HOST:PORT` or `https://HOST:PORT`, 1 to 32, of members of one cluster. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls | undefined;
  readonly credentials?: EtcdCredentials | undefined;
  /** For a whole request, failover included. */
  readonly requestTimeoutMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

const MAX_ENDPOINTS = 32;

/** @throws TypeError that names what is wrong, never a secret */
export function checkSettings({ endpoints, tls, requestTimeoutMs }: EtcdSettings): void {
  const origins = endpoints.map(originOf);
  if (origins.length === 0 || origins.length > MAX_ENDPOINTS)
    throw new TypeError(`1 to ${MAX_ENDPOINTS} endpoints of etcd are needed, not ${origins.length}`);
  const double = origins.find((origin, index) => origins.indexOf(origin) !== index);
  if (double !== undefined) throw new TypeError(`the endpoint ${double} of etcd is given twice`);
  if (!Number.isSafeInteger(requestTimeoutMs) || requestTimeoutMs < 1)
    throw new TypeError('requestTimeoutMs is not a whole number from 1');
  if (tls !== undefined) checkTls(tls);
}

/** @throws TypeError for anything but scheme, host and port */
export function originOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain =
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '') &&
    url.pathname === '/';
  // The text may hold a password, so it is not repeated.
  if (!isPlain) throw new TypeError('an endpoint of etcd is not http://HOST:PORT or https://HOST:PORT');
  return url.origin;
}

/** TLS options of Node.js. */
export function tlsOptions({ ca, certificate, key }: EtcdTls): Record<string, string> {
  const given = Object.entries({ ca, cert: certificate, key }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

function checkTls(tls: EtcdTls): void {
  if ((tls.certificate === undefined) !== (tls.key === undefined))
    throw new TypeError('a client certificate for etcd needs its key, and a key its certificate');
  try {
    createSecureContext(tlsOptions(tls));
  } catch (error) {
    throw new TypeError(`the TLS settings for etcd cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
