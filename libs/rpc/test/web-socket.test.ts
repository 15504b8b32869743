import { once } from 'node:events';
import { connect as connectTo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { WebSocket } from 'ws';
import { z } from 'zod';
import {
  createDispatcher,
  createRpcWebSocket,
  defineMethod,
  type Connection,
  type Handlers,
  type RpcWebSocket,
} from '../src/index.js';
import { listenOn, type Listening } from './listening.js';

const common = { summary: '', source: 'test', examples: [], params: [] };
const methods = {
  eth_subscribe: defineMethod({ ...common, result: z.string() }),
  eth_version: defineMethod({ ...common, result: z.string() }),
  eth_wait: defineMethod({ ...common, result: z.string() }),
};

let connections: Connection[];
let closed: number;
let release: () => void;
/** When the token of the next connection expires, and whose it is. */
let expiresMs: number | undefined;
let subject: string | undefined;
let ran: number;
let nowMs: number;
const scheduled: { delayMs: number; task: () => void }[] = [];
const handlers: Handlers<typeof methods> = {
  eth_subscribe: (_params, { connection }) => {
    connections.push(connection as Connection);
    connection?.onClose(() => closed++);
    return '0x1';
  },
  eth_version: () => {
    ran++;
    return 'v';
  },
  eth_wait: async (_params, { connection }) => {
    await new Promise<void>((done) => (release = done));
    connection?.onClose(() => closed++);
    return 'late';
  },
};
const dispatcher = createDispatcher({
  service: 'test',
  methods,
  handlers,
  limits: { batch: 10, depth: 32, requestTimeoutMs: 5_000 },
  logger: silentLogger,
  metrics: silentMetrics,
});

let rpc: RpcWebSocket;
let listening: Listening;
const warnings: string[] = [];
beforeEach(async () => {
  connections = [];
  closed = 0;
  ran = 0;
  expiresMs = undefined;
  subject = undefined;
  nowMs = 0;
  scheduled.length = 0;
  warnings.length = 0;
  rpc = createRpcWebSocket({
    dispatcher,
    maxBodyBytes: 1_000,
    maxConnections: 2,
    maxConnectionsOfSubject: 1,
    callerOf: () => ({ expiresMs, subject }),
    clock: {
      now: () => nowMs,
      schedule(delayMs, task) {
        scheduled.push({ delayMs, task });
        return () => undefined;
      },
    },
    logger: { ...silentLogger, warn: (message) => warnings.push(message) },
  });
  listening = await listenOn((_request, response) => response.writeHead(404).end());
  listening.server.on('upgrade', (request, socket, head) => rpc.handleUpgrade(request, socket, head));
});
afterEach(async () => {
  rpc.close();
  await listening.close();
});

async function connect(): Promise<{ socket: WebSocket; next: () => Promise<unknown> }> {
  const socket = new WebSocket(listening.url.replace('http', 'ws'));
  const messages: unknown[] = [];
  let wake: () => void = () => undefined;
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()));
    wake();
  });
  await once(socket, 'open');
  const next = async () => {
    while (messages.length === 0) await new Promise<void>((done) => (wake = done));
    return messages.shift();
  };
  return { socket, next };
}
const request = (method: string, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method });
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((tick) => setTimeout(tick, 5));
};

describe('a WebSocket connection', () => {
  it('answers calls, batches and bad messages, as text or as bytes', async () => {
    const { socket, next } = await connect();
    socket.send(request('eth_version'));
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: 'v' });
    socket.send(Buffer.from(`[${request('eth_version', 2)},${request('eth_none', 3)}]`));
    expect(await next()).toMatchObject([
      { id: 2, result: 'v' },
      { id: 3, error: { code: -32601 } },
    ]);
    socket.send('{');
    expect(await next()).toMatchObject({ id: null, error: { code: -32700 } });
    socket.close();
  });

  it('gets notifications until it closes, and is notified of its closing once', async () => {
    const { socket, next } = await connect();
    socket.send(request('eth_subscribe'));
    expect(await next()).toMatchObject({ result: '0x1' });
    connections[0]?.notify('eth_subscription', { subscription: '0x1', result: { number: 2n ** 60n } });
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      method: 'eth_subscription',
      params: { subscription: '0x1', result: { number: 2 ** 60 } },
    });
    socket.close();
    await until(() => closed === 1);
    expect(() => connections[0]?.notify('eth_subscription', {})).not.toThrow();
  });

  it('that is gone before a call registers a listener notifies it at once', async () => {
    const { socket } = await connect();
    socket.send(request('eth_wait'));
    await until(() => release !== undefined);
    socket.terminate();
    const ended = connect().then(({ socket: other }) => other.close());
    await ended;
    await new Promise((tick) => setTimeout(tick, 20));
    release();
    await until(() => closed === 1);
  });

  it('is cut off when it does not read what it is sent', async () => {
    const { socket, next } = await connect();
    socket.send(request('eth_subscribe'));
    await next();
    socket.pause();
    const text = 'x'.repeat(1_000_000);
    for (let sent = 0; sent < 200 && warnings.length === 0; sent++) {
      connections[0]?.notify('eth_subscription', text);
      await new Promise((tick) => setImmediate(tick));
    }
    expect(warnings).toEqual(['WebSocket client too slow, closing']);
    await until(() => closed === 1);
    socket.terminate();
  });

  it('is closed for a message over the limit', async () => {
    const { socket } = await connect();
    socket.send('x'.repeat(1_001));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1009);
  });

  it('is refused beyond the number that is allowed', async () => {
    const both = [await connect(), await connect()];
    const third = new WebSocket(listening.url.replace('http', 'ws'));
    const [error] = (await once(third, 'error')) as [Error];
    expect(error.message).toContain('503');
    both.forEach(({ socket }) => socket.close());
  });

  it('is closed when it is refused, though the client keeps its side open', async () => {
    const both = [await connect(), await connect()];
    const closing = new Promise<void>((done) =>
      listening.server.once('connection', (socket: Socket) => socket.once('close', () => done())),
    );
    const third = connectTo({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true });
    third.resume().write('GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await Promise.all([once(third, 'end'), closing]);
    third.destroy();
    both.forEach(({ socket }) => socket.close());
  });

  it('is refused beyond the number of one subject, until one of those ends', async () => {
    subject = 'one';
    const { socket: first } = await connect();
    const second = new WebSocket(listening.url.replace('http', 'ws'));
    const [error] = (await once(second, 'error')) as [Error];
    expect(error.message).toContain('429');
    subject = 'other';
    const { socket: others } = await connect();
    const ended = once(first, 'close');
    first.close();
    await ended;
    subject = 'one';
    const { socket: again } = await connect();
    others.close();
    again.close();
  });

  it('ends when its token does, and calls, subscriptions and notifications end with it', async () => {
    expiresMs = 1_000;
    const { socket, next } = await connect();
    const ended = once(socket, 'close') as Promise<[number, Buffer]>;
    socket.send(request('eth_subscribe'));
    expect(await next()).toMatchObject({ result: '0x1' });
    expect(scheduled.map(({ delayMs }) => delayMs)).toEqual([1_000]);
    nowMs = 1_000;
    scheduled.forEach(({ task }) => task());
    expect(closed).toBe(1);
    const [code, reason] = await ended;
    expect({ code, reason: reason.toString() }).toEqual({ code: 1008, reason: 'the token has expired' });
  });

  it('whose token has expired has nothing run any more, also before the timer notices', async () => {
    expiresMs = 1_000;
    const { socket } = await connect();
    nowMs = 1_001;
    for (let sent = 0; sent < 5; sent++) socket.send(request('eth_version'));
    const [code] = (await once(socket, 'close')) as [number];
    expect({ code, ran }).toEqual({ code: 1008, ran: 0 });
  });

  it('waits for the end of a token of years in delays that a timer takes', async () => {
    expiresMs = 100 * 365 * 86_400_000;
    const { socket, next } = await connect();
    socket.send(request('eth_version'));
    expect(await next()).toMatchObject({ result: 'v' });
    scheduled.forEach(({ task }) => task());
    socket.send(request('eth_version'));
    expect(await next()).toMatchObject({ result: 'v' });
    expect(scheduled.map(({ delayMs }) => delayMs)).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
    socket.close();
  });

  it('is closed when the service shuts down', async () => {
    const { socket } = await connect();
    rpc.close();
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1001);
  });
});
