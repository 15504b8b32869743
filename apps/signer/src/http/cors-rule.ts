import type { ServerResponse } from 'node:http';
import { createCorsWriter, type CorsRule } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';

const ANY = ['*', 'all'];
const FLAG = '--http-cors-origins';
/** Characters of an origin: scheme, host of at most 253 and port. The operator's expressions may be slow with more. */
const MAX_ORIGIN = 300;

/**
 * The origins whose pages may call. Requests of other pages are rejected and not executed.
 *
 * Source: docs/spec/signing-proxy.md#origins
 *
 * @param text - regular expressions with commas between them, `all` or `*`, `none`
 * @throws OperatorError when they contradict each other or are invalid
 */
export function corsRule(text: string): CorsRule {
  const entries = text.split(',').map((entry) => entry.trim());
  const isAny = entries.some((entry) => ANY.includes(entry));
  const patterns = isAny ? [] : patternsOf(entries);
  if (isAny && entries.length > 1) {
    throw new OperatorError(`${FLAG}: Values '*' or 'all' can't be used with other domains`);
  }
  const allows = (origin: string) =>
    isAny || (origin.length <= MAX_ORIGIN && patterns.some((pattern) => pattern.test(origin)));
  const allow = createCorsWriter({ origin: isAny ? '*' : 'same', allowedHeaders: '*, content-type' });
  return {
    admits: ({ headers: { origin } }) => origin === undefined || allows(origin),
    reject,
    apply: (request, response) => request.headers.origin !== undefined && allow(request, response),
  };
}

function patternsOf(entries: readonly string[]): readonly RegExp[] {
  if (entries.length === 1 && entries[0] === 'none') return [];
  if (entries.includes('none')) {
    throw new OperatorError(`${FLAG}: Value 'none' can't be used with other domains`);
  }
  if (entries.includes('')) throw new OperatorError(`${FLAG}: Domain cannot be empty string or null string.`);
  return entries.map((entry) => {
    try {
      return new RegExp(`^(?:${entry})$`);
    } catch {
      throw new OperatorError(
        `${FLAG}: Domain values result in invalid regex pattern (${entry.slice(0, 80)})`,
      );
    }
  });
}

function reject(response: ServerResponse): void {
  response.writeHead(403, 'CORS Rejected - Invalid origin', { 'Content-Length': 0 }).end();
}
