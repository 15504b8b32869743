import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_REQUEST_BYTES, RefusedRequest } from '@tetrad/console';

/** What the console answers, always JSON. */
export interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array;
}

export const failure = (status: number, error: string): Answer => ({
  status,
  body: JSON.stringify({ error }),
});

/**
 * Browsers send this type across origins only after they have asked, and a form cannot send it.
 * @throws RefusedRequest
 */
export function assertJson({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (headers['content-type'] !== 'application/json')
    throw new RefusedRequest(400, 'content-type: must be application/json');
}

/**
 * @param maxBytes - of the body
 * @throws RefusedRequest for a body that is longer
 */
export async function readBody(request: IncomingMessage, maxBytes = MAX_REQUEST_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new RefusedRequest(413, `the body has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function sendJson(response: ServerResponse, { status, body }: Answer): void {
  if (response.destroyed) return;
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(status === 413 ? { Connection: 'close' } : {}),
    })
    .end(body);
}
