import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Dispatcher } from '@tetrad/rpc';
import { DownstreamClient } from '@tetrad/signer-downstream';
import { silentLogger } from '@tetrad/types';
import { createProxyHandler } from '../../src/http/proxy-handler.js';
import { startFakeNode, type FakeNode } from '../fake-node.js';

/** More than the buffers of a connection take. */
const ANSWER_BYTES = 16_000_000;
const TIMERS = [
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'Date',
] as const;

let node: FakeNode;
let downstream: DownstreamClient;
let server: Server;
const sockets: Socket[] = [];

beforeAll(async () => {
  node = await startFakeNode(({ rpc }) => ({
    body: rpc.method === 'eth_chainId' ? '{"id":1}' : Buffer.alloc(ANSWER_BYTES, 'a'),
  }));
  downstream = new DownstreamClient({ url: new URL(`http://127.0.0.1:${node.port}`), timeoutMs: 60_000 });
  server = createServer(
    createProxyHandler({
      dispatcher: { serves: () => false } as unknown as Dispatcher,
      downstream,
      limits: {
        batch: 10,
        depth: 10,
        requestTimeoutMs: 60_000,
        answerBytes: ANSWER_BYTES,
        batchAnswerBytes: ANSWER_BYTES,
      },
      maxBodyBytes: 1_000,
      maxWaitingBytes: 2.5 * ANSWER_BYTES,
      rateLimit: 0,
      callerOf: () => ({ subject: undefined, may: () => true }),
      rest: undefined,
      forwards: 'json-rpc',
      onMalformed: () => undefined,
      logger: silentLogger,
    }),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(() => {
  jest.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await downstream.close();
  await node.stop();
});

/** Sends a request, and reads no more than the beginning of its answer. */
async function ask(method: string): Promise<{ readonly status: number; readonly socket: Socket }> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
  const type = 'Content-Type: application/json';
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const beginning = await new Promise<Buffer>((done) => socket.once('data', done));
  socket.pause();
  return { status: Number(beginning.toString().split(' ')[1]), socket };
}

/** Reads to the end of the connection. */
function readOn(socket: Socket): Promise<number> {
  socket.on('error', () => undefined).resume();
  return new Promise((done) => socket.once('close', () => done(socket.bytesRead)));
}

describe('clients of the signer that do not read', () => {
  it('leave no room for long answers, which are 503, and are given up in time', async () => {
    jest.useFakeTimers({ doNotFake: [...TIMERS] });
    const asked = [];
    for (let index = 0; index < 4; index += 1) asked.push(await ask('eth_getLogs'));
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 503, 503]);
    expect((await ask('eth_chainId')).status).toBe(200);
    // Half a minute, and that which the length takes at 50 kB/s.
    jest.advanceTimersByTime(30_000 + ANSWER_BYTES / 50);
    for (const { socket } of asked.slice(0, 2)) expect(await readOn(socket)).toBeLessThan(ANSWER_BYTES);
    expect((await ask('eth_getLogs')).status).toBe(200);
  });
});
