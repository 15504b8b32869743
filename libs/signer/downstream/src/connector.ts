import type { Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';
import { Client, buildConnector } from 'undici';
import { TetradError } from '@tetrad/types';

/** How the Ethereum client proves who it is, and the proxy to it. */
export interface DownstreamTls {
  /** Whether a certificate of a known authority is enough. */
  readonly trustAuthorities: boolean;
  /** `host:port` in lower case → SHA-256 fingerprints of its certificates: upper-case hex, colons between. */
  readonly knownServers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Identity to show, PKCS#12. */
  readonly identity?: { readonly pfx: Buffer; readonly passphrase: string } | undefined;
  /** Authorities (PEM) beside those of the system. */
  readonly authorities?: string | undefined;
}

/** An HTTP proxy on the way to the Ethereum client. */
export interface DownstreamProxy {
  readonly host: string;
  readonly port: number;
  /** Value of `proxy-authorization`. */
  readonly authorization?: string | undefined;
}

/** The certificate of the Ethereum client is not one to trust. */
export class UntrustedServerError extends TetradError {
  override readonly name = 'UntrustedServerError';
  override readonly code = 'UNTRUSTED_SERVER';
}

/** The HTTP proxy did not open a way to the Ethereum client. */
export class ProxyRefusedError extends TetradError {
  override readonly name = 'ProxyRefusedError';
  override readonly code = 'PROXY_REFUSED';
}

/** Opens connections to the Ethereum client, checked before the first byte of a request. */
export function createConnector(options: {
  readonly timeoutMs: number;
  readonly tls?: DownstreamTls | undefined;
  /** For TLS, which goes through the proxy in a tunnel. */
  readonly tunnel?: DownstreamProxy | undefined;
}): buildConnector.connector {
  const { timeoutMs, tls, tunnel } = options;
  if (tls === undefined) return buildConnector({ timeout: timeoutMs });
  const connect = buildConnector({
    timeout: timeoutMs,
    // Whom to trust is decided below. A resumed session would not be checked again.
    rejectUnauthorized: false,
    maxCachedSessions: 0,
    ...tls.identity,
    ...(tls.authorities === undefined ? {} : { ca: tls.authorities }),
  });
  return (target, callback) => {
    const checked: buildConnector.Callback = (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const problem = distrust(socket as TLSSocket, target, tls);
      if (problem === undefined) return callback(null, socket);
      socket.destroy();
      callback(new UntrustedServerError(problem), null);
    };
    if (tunnel === undefined) return connect(target, checked);
    openTunnel(tunnel, target, timeoutMs).then(
      (httpSocket) => connect({ ...target, httpSocket }, checked),
      (error: Error) => callback(error, null),
    );
  };
}

/** Why the server is not to be trusted; undefined when it is. */
function distrust(
  socket: TLSSocket,
  { hostname, port }: buildConnector.Options,
  tls: DownstreamTls,
): string | undefined {
  const certificate: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (certificate.fingerprint256 === undefined) return 'it shows no certificate';
  const known = tls.knownServers.get(`${hostname}:${port || 443}`.toLowerCase());
  if (known?.has(certificate.fingerprint256) === true) return undefined;
  if (!tls.trustAuthorities) return 'its certificate is not that of a known server';
  if (!socket.authorized) return String(socket.authorizationError);
  return checkServerIdentity(hostname, certificate as PeerCertificate)?.message;
}

/** @throws as undici, also when the proxy says nothing in time; ProxyRefusedError */
async function openTunnel(
  proxy: DownstreamProxy,
  target: buildConnector.Options,
  timeoutMs: number,
): Promise<Socket> {
  const limits = { connectTimeout: timeoutMs, headersTimeout: timeoutMs };
  const client = new Client(`http://${proxy.host}:${proxy.port}`, limits);
  const path = `${target.hostname}:${target.port || 443}`;
  const { authorization } = proxy;
  const headers = {
    host: path,
    ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
  };
  const { socket, statusCode } = await client.connect({ path, headers });
  // The socket is no longer the client's.
  if (statusCode === 200) return socket as Socket;
  socket.on('error', () => undefined).destroy();
  throw new ProxyRefusedError(`the HTTP proxy answers ${statusCode}`);
}
