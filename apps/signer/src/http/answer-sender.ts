import type { ServerResponse } from 'node:http';
import { OutgoingAnswers, writeJson } from '@tetrad/rpc';
import type { ForwardedResponse } from '@tetrad/signer-downstream';
import { compressed, isToBeCompressed, type Answer } from './compression.js';

/**
 * Clients of EthSigner look at the header `Content`. The length is that of the body in the end: a copy that replaces
 * a member costs nothing, one that adds a member a microsecond (measured).
 */
const JSON_HEADERS = { 'Content-Type': 'application/json', Content: 'application/json', 'Content-Length': 0 };

/** Sends answers, as long as not too much waits for clients that are slow to read: beyond that they get 503. */
export class AnswerSender {
  private readonly outgoing: OutgoingAnswers;

  /** @param maxWaitingBytes - of all answers together that may wait for their clients */
  constructor(maxWaitingBytes?: number) {
    this.outgoing = new OutgoingAnswers(maxWaitingBytes);
  }

  /** Answers with JSON of the proxy's own. */
  json(response: ServerResponse, status: number, value: unknown): void {
    this.jsonText(response, status, writeJson(value));
  }

  /** Answers with JSON that was written already. */
  jsonText(response: ServerResponse, status: number, body: string): void {
    // As text it leaves with the headers in one write.
    this.send(response, { status, headers: JSON_HEADERS, body });
  }

  /** Answers with text of the proxy's own. */
  text(response: ServerResponse, status: number, text: string): void {
    this.send(response, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text });
  }

  /** Answers with a status alone. */
  status(response: ServerResponse, status: number): void {
    if (response.destroyed) return;
    response.writeHead(status, status === 204 ? {} : { 'Content-Length': 0 }).end();
  }

  /** Passes on the response of the Ethereum client. */
  forwarded(response: ServerResponse, answer: ForwardedResponse): void {
    const hasNoBody = answer.status === 204 || answer.status === 304;
    if (!hasNoBody) this.send(response, answer);
    else if (!response.destroyed) response.writeHead(answer.status, answer.headers).end();
  }

  private send(response: ServerResponse, answer: Answer): void {
    if (response.destroyed) return;
    // Before it is compressed, which takes memory too.
    if (!this.outgoing.admit(response, Buffer.byteLength(answer.body))) return write(response, crowded());
    if (!isToBeCompressed(answer, response.req)) return write(response, answer);
    compressed(answer).then(
      (smaller) => write(response, smaller),
      () => write(response, answer),
    );
  }
}

function crowded(): Answer {
  const body = writeJson({ error: 'too many answers wait for their clients to read them' });
  return { status: 503, headers: JSON_HEADERS, body };
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
