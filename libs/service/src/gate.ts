import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger, Metrics } from '@tetrad/types';
import { AuthenticationError, AuthenticationUnavailableError } from './authentication-error.js';
import type { Authenticator } from './authentication.js';
import { setCaller } from './caller.js';
import type { CorsRule } from './cors.js';
import type { HostRule } from './host-allow-list.js';

/** The reason why a request did not reach the service. */
export interface Denial {
  readonly status: 400 | 401 | 403 | 500 | 503;
  readonly problem: string;
  /** The text that clients of web3signer expect. */
  readonly message?: string;
  /** Answers in place of the text above. */
  readonly reject?: (response: ServerResponse) => void;
}

/** The checks that every request passes before the service handles it. */
export interface Gate {
  /** Synchronous checks: one host, that it is allowed, and the origin. */
  screen(request: IncomingMessage): Denial | undefined;
  /** Whether `admit` is asynchronous. */
  readonly authenticates: boolean;
  /** Authenticates the caller and stores the result for `callerOf`. */
  admit(request: IncomingMessage): Promise<Denial | undefined>;
}

/** The option that lets a refused host or origin in. */
export interface AccessFlags {
  readonly hosts: string;
  readonly origins: string;
}

const ACCESS_FLAGS: AccessFlags = { hosts: '--host-allowlist', origins: '--cors-origins' };

export function createGate(rules: {
  readonly service: string;
  readonly host: HostRule;
  readonly cors: CorsRule;
  readonly accessFlags?: AccessFlags;
  readonly authenticator: Authenticator | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): Gate {
  const denials = rules.metrics.counter(
    `${rules.service.replaceAll('-', '_')}_http_denials_total`,
    'Requests refused before they reached the service, by HTTP status.',
    ['status'],
  );
  const flags = rules.accessFlags ?? ACCESS_FLAGS;
  const deny = (status: Denial['status'], problem: string): Denial => {
    denials.increment({ status: String(status) });
    return { status, problem };
  };
  return {
    authenticates: rules.authenticator !== undefined,
    screen(request) {
      // Node keeps the first line; a proxy in front may have checked another (RFC 9112, section 3.2).
      if (hasTwoHosts(request)) return deny(400, 'more than one Host header');
      if (!rules.host(request.headers.host)) {
        return {
          ...deny(403, `host not allowed (see ${flags.hosts})`),
          message: 'Host not authorized.',
        };
      }
      // CORS alone hides answers from a page, but does not stop requests, and does not cover WebSockets.
      if (!rules.cors.admits(request)) {
        const denial = deny(403, `origin not allowed (see ${flags.origins})`);
        const { reject } = rules.cors;
        return request.headers.upgrade !== undefined || reject === undefined ? denial : { ...denial, reject };
      }
      return undefined;
    },
    async admit(request) {
      if (rules.authenticator === undefined) return undefined;
      try {
        setCaller(request, await rules.authenticator.authenticate(request));
        return undefined;
      } catch (error) {
        if (error instanceof AuthenticationError) return deny(401, error.message);
        rules.logger.error('callers cannot be authenticated', { error });
        return error instanceof AuthenticationUnavailableError
          ? deny(503, 'callers cannot be authenticated at the moment')
          : deny(500, 'internal error');
      }
    },
  };
}

/** Looks at the lines as they came: `headers` has the first one only, and `headersDistinct` costs an object a request. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') lines++;
  }
  return lines > 1;
}

/** Answers in the form that JSON-RPC clients show to people. */
export function sendDenial(response: ServerResponse, { status, problem, message, reject }: Denial): void {
  if (reject !== undefined) return reject(response);
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  response
    .writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...challenge })
    .end(JSON.stringify({ message, error: problem }));
}
