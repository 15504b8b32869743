import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedExchange {
  readonly name: string;
  readonly server: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | null;
  };
  readonly response: {
    readonly status: number;
    readonly reason: string;
    readonly body?: string | null;
  };
}

/** Exchanges recorded from running managers; see libs/transaction-manager/vectors/ORIGIN.md. */
export const recorded = JSON.parse(
  readFileSync(new URL('../../transaction-manager/vectors/exchanges.json', import.meta.url), 'utf8'),
) as { readonly http: readonly RecordedExchange[] };

/** What a client asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly body: string;
}

/** A server with scripted answers that records the last request, except those about versions. */
export async function recordedManager() {
  let answer: RecordedExchange['response'] | undefined;
  let asked: Asked | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      if (path === '/version/api') return void response.end('["1.0","2.0","2.1","3.0"]');
      const { accept, 'content-type': contentType } = headers;
      asked = { method, path, accept, contentType, body: Buffer.concat(chunks).toString('utf8') };
      response.writeHead(answer?.status ?? 500, answer?.reason ?? '').end(answer?.body ?? '');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith(response: RecordedExchange['response']) {
      answer = response;
    },
    asked: () => asked,
    close() {
      server.closeAllConnections();
      return new Promise<void>((done) => server.close(() => done()));
    },
  };
}
