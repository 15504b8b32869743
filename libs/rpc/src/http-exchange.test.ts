import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpExchange as OfNode } from './http-exchange.js';
import { RpcTransportError } from './rpc-answer.js';
import { HttpExchange as OfBrowsers } from './web-exchange.js';

const EXCHANGES = [
  ['Node.js', OfNode],
  ['browsers', OfBrowsers],
] as const;

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const bytes = Number(request.headers['x-bytes']);
    response.setHeader('content-type', 'application/json');
    // In pieces and without a length, so that the end is unknown until it comes.
    response.write('"');
    for (let left = bytes - 2; left > 0; left -= 1000) response.write('a'.repeat(Math.min(left, 1000)));
    response.end('"');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

describe.each(EXCHANGES)('an exchange of %s with a bound on answers', (_, HttpExchange) => {
  it('takes an answer up to the bound and fails beyond', async () => {
    const ask = async (bytes: number) => {
      const http = new HttpExchange({ url, headers: { 'x-bytes': String(bytes) }, maxAnswerBytes: 5000 });
      try {
        return await http.post('{}');
      } finally {
        await http.close();
      }
    };
    expect(await ask(5000)).toBe('a'.repeat(4998));
    await expect(ask(5001)).rejects.toThrow(RpcTransportError);
    await expect(ask(5_000_000)).rejects.toThrow(RpcTransportError);
  });
});

describe.each(EXCHANGES)('the headers of an exchange of %s', (_, HttpExchange) => {
  it('are asked for with each request, and a 401 is named as such, in whatever form its body is', async () => {
    const tokens = ['first', 'second', 'wrong'];
    const seen: unknown[] = [];
    const strict = createServer((request, response) => {
      seen.push(request.headers.authorization);
      const accepted = request.headers.authorization !== 'wrong';
      response.writeHead(accepted ? 200 : 401).end(accepted ? '{}' : '<h1>go away</h1>');
    });
    await new Promise<void>((done) => strict.listen(0, '127.0.0.1', done));
    const target = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`;
    const http = new HttpExchange({
      url: target,
      headers: () => ({ authorization: tokens.shift() ?? '' }),
    });
    expect([await http.post('{}'), await http.post('{}')]).toEqual([{}, {}]);
    await expect(http.post('{}')).rejects.toThrow(
      `${target}: HTTP 401: the token is missing or not accepted`,
    );
    expect(seen).toEqual(['first', 'second', 'wrong']);
    await http.close();
    await new Promise((done) => strict.close(done));
  });
});
