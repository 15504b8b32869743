import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createRpcClient, defineMethod, RpcTransportError } from './index.js';

const methods = {
  read: defineMethod({ summary: '', params: [], result: z.string(), source: '', examples: [] }),
};
const BOUND = 10_000;

describe('a client with a bound on answers', () => {
  let server: Server;
  let length = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/json');
      // Without a length: the excess shows only while the body arrives.
      response.write('{"jsonrpc":"2.0","id":1,"result":"');
      response.end(`${'a'.repeat(length)}"}`);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });

  afterAll(() => new Promise<void>((done) => void server.close(() => done())));

  const read = async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createRpcClient(methods, { url, maxAnswerBytes: BOUND });
    try {
      return await client.call('read', []);
    } finally {
      await client.close();
    }
  };

  it('takes an answer below it and does not wait for the rest of one above', async () => {
    length = BOUND / 2;
    expect(await read()).toHaveLength(length);
    length = 50_000_000;
    await expect(read()).rejects.toThrow(RpcTransportError);
  });
});
