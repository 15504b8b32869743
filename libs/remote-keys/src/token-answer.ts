import { z } from 'zod';
import type { IssuedToken } from './access-token.js';
import type { JsonAnswer } from './json-request.js';
import { RemoteKeyError } from './remote-key-error.js';

/** Some services give the number as text. */
const answer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/**
 * The token in an answer of OAuth 2.
 * @throws RemoteKeyError, DENIED when the credentials are not accepted
 */
export function tokenOf({ status, body }: JsonAnswer, where: string): IssuedToken {
  if (status === 429) throw new RemoteKeyError('THROTTLED', `${where}: HTTP 429`);
  if (status >= 500) throw new RemoteKeyError('FAILED', `${where}: HTTP ${status}`);
  if (status !== 200) throw new RemoteKeyError('DENIED', `${where}: not accepted (HTTP ${status})`);
  const parsed = answer.safeParse(body);
  if (!parsed.success) throw new RemoteKeyError('FAILED', `${where}: the answer has no token`);
  return { token: parsed.data.access_token, lifetimeMs: parsed.data.expires_in * 1_000 };
}
