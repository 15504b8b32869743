import type { ServerResponse } from 'node:http';
import { writeJson } from '@tetrad/rpc';
import type { ForwardedResponse } from '@tetrad/signer-downstream';
import { compressed, isToBeCompressed, type Answer } from './compression.js';

/**
 * Clients of EthSigner look at the header `Content`. The length is that of the body in the end: a copy that replaces
 * a member costs nothing, one that adds a member a microsecond (measured).
 */
const JSON_HEADERS = { 'Content-Type': 'application/json', Content: 'application/json', 'Content-Length': 0 };

/** Answers with JSON of the proxy's own. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendJsonText(response, status, writeJson(value));
}

/** Answers with JSON that was written already. */
export function sendJsonText(response: ServerResponse, status: number, body: string): void {
  // As text it leaves with the headers in one write.
  send(response, { status, headers: JSON_HEADERS, body });
}

/** Answers with text of the proxy's own. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text });
}

/** Answers with a status alone. */
export function sendStatus(response: ServerResponse, status: number): void {
  if (response.destroyed) return;
  response.writeHead(status, status === 204 ? {} : { 'Content-Length': 0 }).end();
}

/** Passes on the response of the Ethereum client. */
export function sendForwarded(response: ServerResponse, answer: ForwardedResponse): void {
  const hasNoBody = answer.status === 204 || answer.status === 304;
  if (!hasNoBody) send(response, answer);
  else if (!response.destroyed) response.writeHead(answer.status, answer.headers).end();
}

function send(response: ServerResponse, answer: Answer): void {
  if (!isToBeCompressed(answer, response.req)) return write(response, answer);
  compressed(answer).then(
    (smaller) => write(response, smaller),
    () => write(response, answer),
  );
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
