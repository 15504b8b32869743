import { isLoopback } from '@tetrad/rpc';
import { StartupError } from './startup-error.js';

/**
 * Refuses to expose the service to a network without authentication.
 *
 * Fails: StartupError when off loopback without tokens, client certificates or `--insecure`
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
