import { callerOf, type ServiceDefinition } from '@tetrad/service';
import type { SigningKeys } from '@tetrad/signer-keys';
import type { Emulation } from '../emulation.js';

/** Permission to have the keys loaded again, where callers have permissions. */
const RELOAD_PERMISSION = 'reload';

/** Health routes of EthSigner and web3signer. Source: docs/spec/signing-proxy.md#routes and #health-metrics-reloading */
export function healthRoutes(
  keys: SigningKeys,
  { upcheck }: Pick<Emulation, 'upcheck'>,
): NonNullable<ServiceDefinition['publicRoutes']> {
  return (app) => {
    app.get('/upcheck', (_request, response) => {
      response.type('text/plain').send(upcheck);
    });
    app.get('/healthcheck', (_request, response) => {
      const checks = [{ id: 'default-check', status: 'UP' as const }, ...keys.checks()];
      const status = checks.every((check) => check.status === 'UP') ? 'UP' : 'DOWN';
      response.status(status === 'UP' ? 200 : 503).json({ status, checks, outcome: status });
    });
  };
}

/** Routes to reload the keys and to read the progress of a reload. */
export function reloadRoutes(keys: SigningKeys): NonNullable<ServiceDefinition['routes']> {
  return (app) => {
    app.get('/reload', (_request, response) => {
      response.json(keys.reloadStatus());
    });
    app.post('/reload', (request, response) => {
      if (!callerOf(request).may(RELOAD_PERMISSION)) {
        response.status(403).json({ status: 'error', message: 'not permitted to reload' });
        return;
      }
      const { outcome, body } = keys.requestReload();
      response.status(outcome === 'accepted' ? 202 : 409).json(body);
    });
  };
}
