import type { ServerResponse } from 'node:http';
import { writeJson } from '@tetrad/rpc';
import type { RelayedResponse } from '@tetrad/signer-downstream';

/** Answers with JSON of the proxy's own. Clients of EthSigner look at the header `Content`. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed) return;
  // As text it leaves with the headers in one write.
  const body = writeJson(value);
  const headers = {
    'Content-Type': 'application/json',
    Content: 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  response.writeHead(status, headers).end(body);
}

/** Answers with a status alone. */
export function sendStatus(response: ServerResponse, status: number): void {
  if (response.destroyed) return;
  response.writeHead(status, status === 204 ? {} : { 'Content-Length': 0 }).end();
}

/** Hands on what the Ethereum client answered. */
export function sendRelayed(response: ServerResponse, { status, headers, body }: RelayedResponse): void {
  if (response.destroyed) return;
  const hasNoBody = status === 204 || status === 304;
  response.writeHead(status, hasNoBody ? headers : { ...headers, 'content-length': body.length });
  response.end(hasNoBody ? undefined : body);
}
