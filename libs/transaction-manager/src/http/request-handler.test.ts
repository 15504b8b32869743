import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { ByteBudget } from './byte-budget.js';
import { listenHttp, type HttpPort } from './http-server.js';
import { requestHandler, type HandlerOptions } from './request-handler.js';
import { text, type HttpAnswer, type Route } from './route.js';

const routes: Route[] = [{ method: 'GET', path: '/upcheck', handle: async () => text('here') }];
let peer: HttpPort;
let client: HttpPort;

function open(name: HandlerOptions['name']): Promise<HttpPort> {
  const handler = requestHandler({
    name,
    routes,
    maxBodyBytes: 1_000,
    budget: new ByteBudget(10_000),
    logger: silentLogger,
    metrics: silentMetrics,
    allowsHost: (host) => host === 'manager.example',
  });
  return listenHttp({ host: '127.0.0.1', port: 0 }, handler);
}

beforeAll(async () => {
  [peer, client] = await Promise.all([open('peer'), open('client')]);
});
afterAll(() => Promise.all([peer.close(), client.close()]));

/** @returns the status */
function get({ url }: HttpPort, headers: Record<string, string>): Promise<number> {
  return new Promise((done, fail) => {
    const sent = request(`${url}upcheck`, { headers, agent: false }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0));
    });
    sent.once('error', fail).end();
  });
}

describe('the peer port', () => {
  it('serves managers that call it by a name it has', async () => {
    expect(await get(peer, { host: 'manager.example' })).toBe(200);
  });

  it('serves no web page, also when a name of the page leads to it', async () => {
    expect(await get(peer, { host: 'page.example' })).toBe(403);
    expect(await get(peer, { host: 'manager.example', origin: 'http://page.example' })).toBe(403);
  });

  it('has the rule for itself: other ports have their own in front', async () => {
    expect(await get(client, { host: 'page.example' })).toBe(200);
  });
});

describe('a client that goes away', () => {
  const piece = 'x'.repeat(2_000);
  const settled = () => new Promise((done) => setTimeout(done, 20));

  /**
   * Cuts a request off once it is handled.
   *
   * @param answer - comes about when the port has noticed that the client is gone
   * @returns bytes that are taken of the budget afterwards
   */
  async function leave(answer: (gone: Promise<void>) => HttpAnswer | Promise<HttpAnswer>): Promise<number> {
    const budget = new ByteBudget(10_000);
    let goOn: () => void = () => undefined;
    const gone = new Promise<void>((done) => (goOn = done));
    let reach: () => void = () => undefined;
    const reached = new Promise<void>((done) => (reach = done));
    const handle = () => {
      reach();
      return Promise.resolve(answer(gone));
    };
    const handler = requestHandler({
      name: 'client',
      routes: [{ method: 'GET', path: '/slow', handle }],
      maxBodyBytes: 1_000,
      budget,
      logger: silentLogger,
      metrics: silentMetrics,
    });
    const port = await listenHttp({ host: '127.0.0.1', port: 0 }, (asked, response) => {
      response.once('close', goOn);
      handler(asked, response);
    });
    const sent = request(`${port.url}slow`, { agent: false }, (received) =>
      received.on('error', () => undefined),
    );
    sent.on('error', () => undefined).end();
    await reached;
    await settled();
    sent.destroy();
    await gone;
    await settled();
    await port.close();
    return budget.used;
  }

  it('leaves nothing taken for an answer that comes about afterwards', async () => {
    expect(await leave((gone) => gone.then(() => text(piece)))).toBe(0);
  });

  it('leaves nothing taken for the piece that was being read', async () => {
    async function* pieces(gone: Promise<void>) {
      yield piece;
      await gone;
      yield piece;
    }
    expect(await leave((gone) => ({ ...text(piece), rest: pieces(gone) }))).toBe(0);
  });

  it('keeps what its body took until the request is handled', async () => {
    const budget = new ByteBudget(10_000);
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((done) => (finish = done));
    let leaveNow: () => void = () => undefined;
    const reached = new Promise<void>((done) => (leaveNow = done));
    const handle = async () => {
      leaveNow();
      await finished;
      return text('late');
    };
    const handler = requestHandler({
      name: 'client',
      routes: [{ method: 'POST', path: '/push', handle }],
      maxBodyBytes: 5_000,
      budget,
      logger: silentLogger,
      metrics: silentMetrics,
    });
    let notice: () => void = () => undefined;
    const gone = new Promise<void>((done) => (notice = done));
    const port = await listenHttp({ host: '127.0.0.1', port: 0 }, (asked, response) => {
      handler(asked, response);
      response.once('close', notice);
    });
    const sent = request(`${port.url}push`, { method: 'POST', agent: false });
    sent.on('error', () => undefined).end(piece);
    await reached;
    sent.destroy();
    await gone;
    expect(budget.used).toBe(piece.length);
    finish();
    await settled();
    expect(budget.used).toBe(0);
    await port.close();
  });

  it('leaves nothing taken for a request behind another one on its connection', async () => {
    const budget = new ByteBudget(10_000);
    const goOn: (() => void)[] = [];
    let reach: () => void = () => undefined;
    const reached = new Promise<void>((done) => (reach = done));
    const handle = async () => {
      await new Promise<void>((done) => {
        goOn.push(done);
        if (goOn.length === 2) reach();
      });
      return text('late');
    };
    const handler = requestHandler({
      name: 'client',
      routes: [{ method: 'POST', path: '/push', handle }],
      maxBodyBytes: 5_000,
      budget,
      logger: silentLogger,
      metrics: silentMetrics,
    });
    let notice: () => void = () => undefined;
    const gone = new Promise<void>((done) => (notice = done));
    const port = await listenHttp({ host: '127.0.0.1', port: 0 }, (asked, response) => {
      handler(asked, response);
      asked.socket.once('close', notice);
    });
    const client = connect({ port: Number(new URL(port.url).port), host: '127.0.0.1' });
    const head = `POST /push HTTP/1.1\r\nHost: node\r\nContent-Length: ${piece.length}\r\n\r\n`;
    client.on('error', () => undefined).write((head + piece).repeat(2));
    await reached;
    expect(budget.used).toBe(2 * piece.length);
    client.destroy();
    await gone;
    goOn.forEach((done) => done());
    await settled();
    expect(budget.used).toBe(0);
    await port.close();
  });
});
