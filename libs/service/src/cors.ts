import type { IncomingMessage, ServerResponse } from 'node:http';

/** What web pages of other origins may do. */
export interface CorsRule {
  /** Whether a page of this origin may call; requests that do not come from a page have no origin. */
  allows(origin: string): boolean;
  /** Sets the headers of the answer; true when the request was a preflight and has been answered. */
  apply(request: IncomingMessage, response: ServerResponse): boolean;
}

const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** In: origins — such as `https://app.example`; `*` allows any, none turns cross-origin calls off */
export function createCorsRule(origins: readonly string[]): CorsRule {
  const allowed = new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
  const allows = (origin: string) => allowed.has('*') || allowed.has(origin.toLowerCase());
  return {
    allows,
    apply(request, response) {
      const { origin } = request.headers;
      const isPreflight =
        request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
      if (origin === undefined) return false;
      response.setHeader('Vary', 'Origin');
      if (allows(origin)) {
        response.setHeader('Access-Control-Allow-Origin', origin);
        if (isPreflight) allowPreflight(response);
      }
      if (!isPreflight) return false;
      response.writeHead(allows(origin) ? 204 : 403).end();
      return true;
    },
  };
}

function allowPreflight(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Authorization');
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS);
}
