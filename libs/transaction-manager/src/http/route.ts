import type { IncomingHttpHeaders } from 'node:http';

/** A request as handlers see it. */
export interface HttpRequest {
  readonly headers: IncomingHttpHeaders;
  /** Parts of the path that the route leaves open, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** The media type that was agreed on for request and answer. */
  readonly mediaType: string;
  readonly body: Buffer;
  /** Where the client sees us, `http://127.0.0.1:9101/`. */
  readonly base: string;
  /** Remote address of the connection; empty for a socket file. */
  readonly from: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Uint8Array;
  /** What follows the body: each piece is made when the one before has been sent. */
  readonly rest?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Most that a route multiplies the usual limit of a body by. */
export const MAX_BODY_FACTOR = 2;

/** What a path takes and answers. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `/transaction/*`: a `*` matches one part of the path. */
  readonly path: string;
  /** Media types of the body; any without it. */
  readonly consumes?: readonly string[];
  /** How many times the usual limit the body may have; 1 without it. */
  readonly bodyFactor?: number;
  /** Media types of the answer; not looked at without it. */
  readonly produces?: readonly string[];
  handle(request: HttpRequest): Promise<HttpAnswer>;
}

export const TEXT = 'text/plain';
export const JSON_TYPE = 'application/json';
export const BYTES = 'application/octet-stream';

export function text(body: string, status = 200): HttpAnswer {
  return { status, type: TEXT, body };
}

export function json(value: unknown, type = JSON_TYPE): HttpAnswer {
  return { status: 200, type, body: JSON.stringify(value) };
}
