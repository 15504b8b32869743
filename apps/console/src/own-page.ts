import type { IncomingMessage } from 'node:http';
import { RefusedRequest } from '@tetrad/console';

/**
 * A write comes from the console's own page, or from a program that is not a browser. Pages of other origins cannot write, not even
 * those that `--cors-origins` lets read: they would show a confirmation of their own.
 *
 * Browsers send both headers with every such request, and scripts cannot set them. Programs send neither; what they need is the
 * token, which no browser adds by itself.
 *
 * @throws RefusedRequest, which names the header
 */
export function assertOwnPage({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    throw new RefusedRequest(403, 'sec-fetch-site: the console writes for its own page alone');
  if (origin === undefined && site === undefined) return;
  if (origin === undefined || !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase())
    throw new RefusedRequest(403, 'origin: the console writes for its own page alone');
}
