import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A service that the launcher runs. */
export type ServiceName =
  'node' | 'signer' | 'rollup-operator' | 'transaction-manager' | 'wallet' | 'console';

/**
 * Entry of a service, as its image runs it.
 * @param root - of a repository with bundles; this one without it
 */
export function serviceMain(service: ServiceName, root = ROOT): string {
  return join(root, `apps/${service}/bundle/main.js`);
}

/** Entry of migrations and of the backups of services, `bundle/db.js` of an image. */
export const DATABASE_COMMANDS = `${ROOT}apps/node/bundle/db.js`;

/** Entry of the commands of an account holder of the rollup. */
export const ROLLUP_CLIENT = `${ROOT}apps/rollup-client/bundle/main.js`;
