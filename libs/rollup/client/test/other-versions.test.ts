import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectOperator, type OperatorClient } from '../src/operator/operator-client.js';

/** Answers of an operator, by method: a result, or an error. */
const ANSWERS: Readonly<Record<string, object>> = {
  pazkp_getAccountNonce: { result: { id: 1, nonce: 7, redemptionIndex: 0, addedLater: ['anything'] } },
  pazkp_getAccountState: {
    error: { code: -32601, message: 'the method pazkp_getAccountState does not exist' },
  },
};

let server: Server;
let operator: OperatorClient;
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...ANSWERS[method] }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  operator = connectOperator(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => new Promise((done) => server.close(done)));

it('the client of a newer operator ignores members of results that it does not know', async () => {
  expect(await operator.call('pazkp_getAccountNonce', [1])).toMatchObject({ nonce: 7 });
});

it('the client of an older operator names the method that it lacks', async () => {
  await expect(operator.call('pazkp_getAccountState', [1])).rejects.toThrow(
    'pazkp_getAccountState does not exist',
  );
});
