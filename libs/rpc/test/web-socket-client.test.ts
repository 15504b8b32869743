import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RequestError, silentLogger, silentMetrics } from '@tetrad/types';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import {
  RpcCallError,
  RpcTransportError,
  connectRpcWebSocket,
  createDispatcher,
  createRpcWebSocket,
  defineMethod,
  param,
  quantityCodec,
  type Connection,
  type Handlers,
  type RpcWebSocket,
} from '../src/index.js';
import { listenOn, type Listening } from './listening.js';

const common = { summary: '', source: 'test', examples: [] };
const methods = {
  test_double: defineMethod({
    ...common,
    params: [param('value', quantityCodec, '')],
    result: quantityCodec,
  }),
  test_listen: defineMethod({ ...common, params: [], result: z.boolean() }),
  test_refuse: defineMethod({ ...common, params: [], result: z.null() }),
  test_wait: defineMethod({ ...common, params: [], result: z.null() }),
};
let listener: Connection | undefined;
let release: () => void = () => undefined;
const handlers: Handlers<typeof methods> = {
  test_double: ([value]) => 2n * value,
  test_listen(_, { connection }) {
    listener = connection;
    return true;
  },
  test_refuse: () => {
    throw new RequestError('NONCE_TOO_LOW', 'nonce too low', { next: 5 });
  },
  test_wait: () => new Promise<null>((done) => (release = () => done(null))),
};
const dispatcher = createDispatcher({
  service: 'test',
  methods,
  handlers,
  logger: silentLogger,
  metrics: silentMetrics,
  limits: { batch: 3, depth: 32, requestTimeoutMs: 600_000 },
});

let rpc: RpcWebSocket;
let listening: Listening;
let opened: IncomingMessage[];
beforeEach(async () => {
  opened = [];
  rpc = createRpcWebSocket({ dispatcher, maxBodyBytes: 10_000, logger: silentLogger });
  listening = await listenOn((_request, response) => response.writeHead(404).end());
  listening.server.on('upgrade', (request, socket, head) => {
    opened.push(request);
    rpc.handleUpgrade(request, socket, head);
  });
});
afterEach(async () => {
  release();
  rpc.close();
  await listening.close();
});

const connect = (more: Partial<Parameters<typeof connectRpcWebSocket>[1]> = {}) =>
  connectRpcWebSocket(methods, { url: listening.url, onNotice: () => undefined, ...more });

describe('a client over WebSocket', () => {
  it('calls with typed values, with the headers of the handshake', async () => {
    const client = await connect({ headers: { authorization: 'Bearer abc' } });
    expect(await Promise.all([1n, 2n ** 200n].map((value) => client.call('test_double', [value])))).toEqual([
      2n,
      2n ** 201n,
    ]);
    expect(opened.map(({ headers }) => headers.authorization)).toEqual(['Bearer abc']);
    await client.close();
    expect(await client.ended).toBe('closed with code 1000');
  });

  it('fails with what the other side refuses', async () => {
    const client = await connect();
    const refused = client.call('test_refuse', []);
    await expect(refused).rejects.toThrow(RpcCallError);
    await expect(refused).rejects.toMatchObject({ data: { reason: 'NONCE_TOO_LOW', next: 5 } });
    await client.close();
  });

  it('hears each notice in order, with integers as they are', async () => {
    const heard: unknown[] = [];
    let hear: () => void = () => undefined;
    const client = await connect({
      onNotice(method, params) {
        heard.push([method, params]);
        hear();
      },
    });
    expect(await client.call('test_listen', [])).toBe(true);
    const both = new Promise<void>((done) => (hear = () => heard.length === 2 && done()));
    listener?.notify('test_notice', { amount: 2n ** 64n - 1n });
    listener?.notify('test_notice', { amount: 7 });
    await both;
    expect(heard).toEqual([
      ['test_notice', { amount: 2n ** 64n - 1n }],
      ['test_notice', { amount: 7 }],
    ]);
    await client.close();
  });

  it('fails calls that wait when the connection ends, and those after it', async () => {
    const client = await connect();
    const waiting = client.call('test_wait', []);
    // Its message is on the way before the end comes.
    await client.call('test_listen', []);
    rpc.close();
    await expect(waiting).rejects.toThrow(`${listening.url}: going away`);
    expect(await client.ended).toBe('going away');
    await expect(client.call('test_listen', [])).rejects.toThrow(RpcTransportError);
  });

  it('fails a call that is not answered in time, and goes on', async () => {
    const client = await connect({ timeoutMs: 50 });
    await expect(client.call('test_wait', [])).rejects.toThrow('no answer to test_wait in time');
    await client.close();
  });

  it('ends by a signal, also while it is opened', async () => {
    const controller = new AbortController();
    const client = await connect({ signal: controller.signal });
    controller.abort();
    expect(await client.ended).toBe('it is not wanted any more');
    await expect(connect({ signal: controller.signal })).rejects.toThrow('it is not wanted any more');
  });
});

describe('a server that does not speak WebSocket', () => {
  it('is named by what it answers', async () => {
    const refusing = await listenOn((_request, response) => response.writeHead(404).end());
    refusing.server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n'));
    await expect(connect({ url: refusing.url })).rejects.toThrow(
      `${refusing.url}: Unexpected server response: 401`,
    );
    await refusing.close();
    await expect(connect({ url: refusing.url })).rejects.toThrow('ECONNREFUSED');
  });

  it.each<[string, string, string]>([
    ['is no JSON', 'hello', 'the body is not JSON'],
    ['is no JSON-RPC', '[1]', 'the answer is not a JSON-RPC response'],
    ['is longer than is allowed', JSON.stringify({ method: 'x'.repeat(2_000) }), 'Max payload size exceeded'],
  ])('ends the connection by a message that %s', async (_, text, problem) => {
    const other = await listenOn((_request, response) => response.writeHead(404).end());
    const server = new WebSocketServer({ server: other.server });
    server.on('connection', (socket: WebSocket) => socket.send(text));
    const client = await connect({ url: other.url, maxMessageBytes: 1_000 });
    expect(await client.ended).toContain(problem);
    server.close();
    await other.close();
  });
});
