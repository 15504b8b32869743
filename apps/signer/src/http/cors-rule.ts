import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CorsRule } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';

const ANY = ['*', 'all'];
const FLAG = '--http-cors-origins';
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/**
 * Which pages may call. A page that may not is turned away, so that what it asks for is not done either.
 *
 * In:     text — regular expressions with commas between them, `all` or `*`, `none`
 * Fails:  OperatorError when they cannot stand together or are none
 * Source: signing-proxy.md, section 10
 */
export function corsRule(text: string): CorsRule {
  const entries = text.split(',').map((entry) => entry.trim());
  const isAny = entries.some((entry) => ANY.includes(entry));
  const patterns = isAny ? [] : patternsOf(entries);
  if (isAny && entries.length > 1) {
    throw new OperatorError(`${FLAG}: Values '*' or 'all' can't be used with other domains`);
  }
  const allows = (origin: string) => isAny || patterns.some((pattern) => pattern.test(origin));
  return {
    allows,
    apply(request, response) {
      const { origin } = request.headers;
      if (origin === undefined) return false;
      if (!allows(origin)) return reject(response);
      response.setHeader('Access-Control-Allow-Origin', isAny ? '*' : origin);
      if (!isAny) response.setHeader('Vary', 'Origin');
      return isPreflight(request) && answerPreflight(response);
    },
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

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function reject(response: ServerResponse): true {
  response.writeHead(403, 'CORS Rejected - Invalid origin', { 'Content-Length': 0 }).end();
  return true;
}

function answerPreflight(response: ServerResponse): true {
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  response.setHeader('Access-Control-Allow-Headers', '*, content-type');
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS);
  response.writeHead(204).end();
  return true;
}
