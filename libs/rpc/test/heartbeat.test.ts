import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { WebSocket } from 'ws';
import { z } from 'zod';
import {
  createDispatcher,
  createRpcWebSocket,
  defineMethod,
  type Handlers,
  type RpcWebSocket,
} from '../src/index.js';
import { listenOn, type Listening } from './listening.js';

/** Time from one heartbeat to the next. */
const HEARTBEAT_MS = 30_000;
/** Everything but the interval that the heartbeat is. */
const REAL = [
  'Date',
  'clearImmediate',
  'clearTimeout',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setTimeout',
] as const;
/** Calls of one connection that run before it is not read any more, and more than those. */
const [UNREAD_FROM, MANY] = [256, 300];

const common = { summary: '', source: 'test', examples: [], params: [] };
const methods = {
  test_now: defineMethod({ ...common, result: z.string() }),
  test_wait: defineMethod({ ...common, result: z.string() }),
};
let waiting: (() => void)[];
let isReleased: boolean;
const handlers: Handlers<typeof methods> = {
  test_now: () => 'now',
  async test_wait() {
    if (!isReleased) await new Promise<void>((done) => waiting.push(done));
    return 'late';
  },
};
const dispatcher = createDispatcher({
  service: 'test',
  methods,
  handlers,
  limits: { batch: 10, depth: 32, requestTimeoutMs: 600_000 },
  logger: silentLogger,
  metrics: silentMetrics,
});

let rpc: RpcWebSocket;
let listening: Listening;
let connection: Duplex;
beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: [...REAL] });
  waiting = [];
  isReleased = false;
  rpc = createRpcWebSocket({ dispatcher, maxBodyBytes: 1_000, logger: silentLogger });
  listening = await listenOn((_request, response) => response.writeHead(404).end());
  listening.server.on('upgrade', (request, socket, head) => {
    connection = socket;
    rpc.handleUpgrade(request, socket, head);
  });
});
afterEach(async () => {
  release();
  rpc.close();
  await listening.close();
  jest.useRealTimers();
});

const beat = () => jest.advanceTimersByTime(HEARTBEAT_MS);
const release = () => {
  isReleased = true;
  for (const done of waiting.splice(0)) done();
};
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((tick) => setTimeout(tick, 5));
};

/** A client that answers pings only if it is to, and what came of it. */
async function connect(autoPong: boolean) {
  const socket = new WebSocket(listening.url.replace('http', 'ws'), { autoPong });
  const seen = { answers: 0, isClosed: false };
  socket.on('message', () => seen.answers++);
  socket.on('close', () => (seen.isClosed = true));
  await once(socket, 'open');
  const send = (method: string) => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method }));
  /** @returns whether all are answered; false when the connection ends before */
  const isAnswered = async (answers: number) => {
    await until(() => seen.isClosed || seen.answers === answers);
    return !seen.isClosed;
  };
  return { socket, seen, send, isAnswered };
}

describe('the connection of a client', () => {
  it('that says nothing from one heartbeat to the next is ended', async () => {
    const { socket, seen } = await connect(false);
    const pinged = once(socket, 'ping');
    beat();
    await pinged;
    expect(seen.isClosed).toBe(false);
    const closed = once(socket, 'close');
    beat();
    await closed;
  });

  it('that answers pings is kept', async () => {
    const { socket, send, isAnswered } = await connect(true);
    for (let beats = 0; beats < 2; beats++) {
      const came = Promise.race([once(connection, 'data'), once(connection, 'close')]);
      beat();
      await came;
    }
    send('test_now');
    expect(await isAnswered(1)).toBe(true);
    socket.terminate();
  });

  it('that answers no ping is kept while it sends anything else', async () => {
    const { socket, send, isAnswered } = await connect(false);
    for (let beats = 1; beats <= 3; beats++) {
      send('test_now');
      expect(await isAnswered(beats)).toBe(true);
      beat();
    }
    socket.terminate();
  });

  it('is kept while so many of its calls run that it is not read, and ended later if it is gone', async () => {
    const { socket, seen, send, isAnswered } = await connect(false);
    for (let sent = 0; sent < MANY; sent++) send('test_wait');
    await until(() => waiting.length >= UNREAD_FROM);
    for (let beats = 0; beats < 3; beats++) beat();
    release();
    expect(await isAnswered(MANY)).toBe(true);
    const closed = once(socket, 'close');
    for (let beats = 0; beats < 2; beats++) beat();
    await closed;
    expect(seen.answers).toBe(MANY);
  });
});
