import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Entry of a service, as its image runs it. */
export function serviceMain(service: 'node' | 'signer' | 'wallet'): string {
  return `${ROOT}apps/${service}/dist/main.js`;
}
