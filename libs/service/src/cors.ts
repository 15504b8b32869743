import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';

/** The access of web pages from other origins. */
export interface CorsRule {
  /**
   * Whether the page that sends a request may call. Browsers send its origin with every request that changes something
   * and with every WebSocket; clients other than browsers mostly send no origin, and are allowed.
   */
  admits(request: IncomingMessage): boolean;
  /** Answers a request that is not admitted, with its own text; with the common text of rejections when absent. */
  reject?(response: ServerResponse): void;
  /** Sets the headers of the answer to an admitted request; true when it was a preflight and has been answered. */
  apply(request: IncomingMessage, response: ServerResponse): boolean;
}

const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** @param origins - such as `https://app.example`; `*` allows any, none turns cross-origin calls off */
export function createCorsRule(origins: readonly string[]): CorsRule {
  const allowed = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const allows = (origin: string) => allowed.has('*') || allowed.has(origin.toLowerCase());
  const allow = createCorsWriter({ origin: 'same', allowedHeaders: 'Content-Type, Authorization' });
  return {
    admits(request) {
      const { origin } = request.headers;
      return origin === undefined || allows(origin) || isOwnOrigin(origin, request);
    },
    apply(request, response) {
      const { origin } = request.headers;
      if (origin === undefined) return false;
      if (allows(origin)) return allow(request, response);
      // A page of the service's own host may read the answer without these headers.
      response.setHeader('Vary', 'Origin');
      return isPreflight(request) && endPreflight(response);
    },
  };
}

/**
 * Sets the headers by which browsers let the requesting page read the answer, and answers preflights.
 * @param options.origin - name the page's own origin, or any by `*`
 * @returns as `CorsRule.apply`
 */
export function createCorsWriter({
  origin,
  allowedHeaders,
}: {
  readonly origin: 'same' | '*';
  readonly allowedHeaders: string;
}): CorsRule['apply'] {
  const write = cors({
    origin: origin === '*' ? '*' : true,
    methods: 'GET, POST',
    allowedHeaders,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    preflightContinue: true,
  });
  return (request, response) => {
    write(request, response, () => undefined);
    return isPreflight(request) && endPreflight(response);
  };
}

function endPreflight(response: ServerResponse): true {
  response.writeHead(204).end();
  return true;
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * Whether the origin is the host that the request is addressed to, as with a page behind the same reverse proxy, and
 * with clients that are not browsers and name the server itself. The host itself has been checked before.
 */
function isOwnOrigin(origin: string, { headers, socket }: IncomingMessage): boolean {
  const host = headers.host?.toLowerCase();
  const schemes = 'encrypted' in socket ? ['https://'] : ['http://', 'https://'];
  return schemes.some((scheme) => origin.toLowerCase() === `${scheme}${host}`);
}
