import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NOTICE_METHOD, rollupNoticeMethods } from '@tetrad/api-rollup-operator';
import { createDispatcher, createRpcWebSocket, type Connection, type RpcWebSocket } from '@tetrad/rpc';
import { RequestError, silentLogger, silentMetrics, type Clock } from '@tetrad/types';
import { AccountNews } from '../src/index.js';

const SUBSCRIPTION = `0x${'5a'.repeat(16)}`;

let server: Server;
let webSocket: RpcWebSocket;
/** What subscribed: account and connection; and what that is refused with. */
let subscribed: (readonly [method: string, accountId: number, connection: Connection])[];
let refusal: string | undefined;
/** Pauses that a test ends. */
let pauses: { readonly delayMs: number; readonly end: () => void }[];
let problems: string[];
let asked: number;
let sockets: Duplex[];
let news: AccountNews;

const clock: Pick<Clock, 'schedule'> = {
  schedule(delayMs, end) {
    const one = { delayMs, end };
    pauses.push(one);
    return () => (pauses = pauses.filter((other) => other !== one));
  },
};

beforeEach(async () => {
  [subscribed, pauses, problems, sockets, refusal, asked] = [[], [], [], [], undefined, 0];
  const subscribe =
    (method: string) =>
    ([accountId]: readonly [number], { connection }: { readonly connection?: Connection | undefined }) => {
      if (refusal !== undefined) throw new RequestError('FORBIDDEN', refusal);
      subscribed.push([method, accountId, connection as Connection]);
      return SUBSCRIPTION;
    };
  const dispatcher = createDispatcher({
    service: 'test',
    methods: rollupNoticeMethods,
    logger: silentLogger,
    metrics: silentMetrics,
    handlers: {
      rollup_subscribeReceivedMoneyOrders: subscribe('orders'),
      rollup_subscribeAccountProgress: subscribe('progress'),
      rollup_subscribeFinalBatches: () => SUBSCRIPTION,
      rollup_unsubscribe: () => true,
    },
    limits: { batch: 3, depth: 32, requestTimeoutMs: 600_000 },
  });
  webSocket = createRpcWebSocket({ dispatcher, maxBodyBytes: 10_000, logger: silentLogger });
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    asked += request.headers.authorization === `Bearer ${asked}` ? 1 : 1_000;
    sockets.push(socket);
    webSocket.handleUpgrade(request, socket, head);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  news = new AccountNews({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accountId: 7,
    clock,
    headers: () => ({ authorization: `Bearer ${asked}` }),
    random: () => 1,
    onProblem: (problem) => problems.push(problem),
  });
});
afterEach(async () => {
  await news.close();
  webSocket.close();
  await new Promise((done) => server.close(done));
});

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((tick) => setTimeout(tick, 5));
};
const { signal } = new AbortController();
/** Listens, and has taken what counts as news at the start. */
const listening = async () => {
  await news.next(1, signal);
  await until(() => subscribed.length === 2);
  await news.next(1, signal);
};
const notify = () =>
  subscribed.at(-1)?.[2].notify(NOTICE_METHOD, { subscription: SUBSCRIPTION, result: { accountId: 7 } });

describe('the news of an account', () => {
  it('comes at the start, when the operator is listened to, and with each notice', async () => {
    await listening();
    expect(subscribed.map(([method, accountId]) => [method, accountId])).toEqual([
      ['orders', 7],
      ['progress', 7],
    ]);
    expect(news.isListening).toBe(true);
    const next = news.next(30_000, signal);
    notify();
    expect(await next).toBe(true);
    // Its pause has ended with it.
    expect(pauses).toEqual([]);
  });

  it('comes once of notices that come while nothing waits for them', async () => {
    await listening();
    notify();
    notify();
    await until(() => Reflect.get(news, 'hasNews') === true);
    await news.next(30_000, signal);
    let isOver = false;
    const next = news.next(30_000, signal).then((hasNews) => {
      isOver = true;
      expect(hasNews).toBe(false);
    });
    await until(() => pauses.length === 1);
    // What was under way would have come before the answer to another message.
    await new Promise((tick) => setTimeout(tick, 50));
    expect(isOver).toBe(false);
    pauses[0]?.end();
    await next;
  });

  it('comes again when a connection is lost, with the token of then', async () => {
    await listening();
    const delayMs = 500;
    for (const round of [0, 1]) {
      const next = news.next(60_000, signal);
      subscribed = [];
      await until(() => pauses.some((one) => one.delayMs === 60_000));
      sockets.at(-1)?.destroy();
      await until(() => pauses.some((one) => one.delayMs === delayMs));
      expect(news.isListening).toBe(false);
      pauses.find((one) => one.delayMs === delayMs)?.end();
      await next;
      expect(asked).toBe(round + 2);
    }
    expect(problems).toHaveLength(2);
  });

  it('does not come where notices are refused, and is asked for again', async () => {
    refusal = 'the token does not permit it';
    await news.next(1, signal);
    await until(() => pauses.length === 1);
    expect(problems).toEqual(['no notices of the operator: the token does not permit it']);
    expect(news.isListening).toBe(false);
    refusal = undefined;
    expect(pauses.map(({ delayMs }) => delayMs)).toEqual([500]);
    const next = news.next(60_000, signal);
    pauses[0]?.end();
    await next;
    expect(subscribed).toHaveLength(2);
  });

  it('is not waited for any longer than wanted', async () => {
    await listening();
    const controller = new AbortController();
    const next = news.next(60_000, controller.signal);
    controller.abort();
    await next;
    await news.next(60_000, controller.signal);
    expect(pauses).toEqual([]);
  });
});
