import type { ServerOptions } from 'node:https';
import type { SecureContextOptions } from 'node:tls';

/** TLS between managers: what they show each other, and whom they believe. */
export interface PeerTls {
  /** Certificate chain and private key (PEM) of the peer port. */
  readonly cert: string;
  readonly key: string;
  /** Client certificate for other managers; without it that of the peer port. */
  readonly client?: { readonly cert: string; readonly key: string } | undefined;
  /** Authorities (PEM) that sign the certificates of managers; those of the system without it. */
  readonly ca?: string | undefined;
  /** Whether managers that connect have to show a certificate. */
  readonly mutual: boolean;
}

/** What we show other managers, and whom of them we believe. */
export function peerClientTls(tls: PeerTls | undefined): SecureContextOptions {
  if (tls === undefined) return {};
  const { cert, key, client = { cert, key }, ca } = tls;
  return { ...(ca === undefined ? {} : { ca }), ...client, minVersion: 'TLSv1.2' };
}

/** The same of the port for other managers; undefined without TLS. */
export function peerServerTls(tls: PeerTls | undefined): ServerOptions | undefined {
  if (tls === undefined) return undefined;
  const { cert, key, ca, mutual } = tls;
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
    ...(mutual ? { requestCert: true, rejectUnauthorized: true } : {}),
  };
}
