import { BlockList, isIP } from 'node:net';
import { StartupError } from './startup-error.js';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Refuses to open the service to a network when nobody would be asked who he is.
 *
 * Fails: StartupError when off loopback without tokens, client certificates or the operator's explicit word
 */
export function assertSafeExposure(options: {
  readonly host: string;
  readonly authenticated: boolean;
  readonly insecure: boolean;
}): void {
  if (isLoopback(options.host) || options.authenticated || options.insecure) return;
  throw new StartupError(
    `--http-listen-host: ${options.host} is not loopback and callers are not authenticated; ` +
      'give --auth-jwt-key-file, --auth-jwt-jwks-url or --tls-client-ca-file, or accept the risk with --insecure',
  );
}
