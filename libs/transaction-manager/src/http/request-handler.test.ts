import { request, type IncomingMessage, type ServerResponse } from 'node:http';
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

  /** Something that happens once, and a promise of it. */
  function event() {
    let happen: () => void = () => undefined;
    const happened = new Promise<void>((done) => (happen = done));
    return { happen, happened };
  }

  /**
   * Opens a port with a budget of its own.
   *
   * @param handle - of `/slow`
   * @param onRequest - called after the handler was
   */
  async function open(
    handle: () => Promise<HttpAnswer>,
    onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  ) {
    const budget = new ByteBudget(10_000);
    const handler = requestHandler({
      name: 'client',
      routes: ['GET', 'POST'].map((method) => ({ method, path: '/slow', handle }) as Route),
      maxBodyBytes: 5_000,
      budget,
      logger: silentLogger,
      metrics: silentMetrics,
    });
    const port = await listenHttp({ host: '127.0.0.1', port: 0 }, (asked, response) => {
      handler(asked, response);
      onRequest(asked, response);
    });
    return { budget, port };
  }

  /**
   * Cuts a request off once it is handled.
   *
   * @param answer - comes about when the port has noticed that the client is gone
   * @returns bytes that are taken of the budget afterwards
   */
  async function leave(answer: (gone: Promise<void>) => HttpAnswer | Promise<HttpAnswer>): Promise<number> {
    const [gone, reached] = [event(), event()];
    const handle = () => {
      reached.happen();
      return Promise.resolve(answer(gone.happened));
    };
    const { budget, port } = await open(handle, (_asked, response) => response.once('close', gone.happen));
    const sent = request(`${port.url}slow`, { agent: false }, (received) =>
      received.on('error', () => undefined),
    );
    sent.on('error', () => undefined).end();
    await reached.happened;
    await settled();
    sent.destroy();
    await gone.happened;
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
    const [reached, finished, gone] = [event(), event(), event()];
    const handle = async () => {
      reached.happen();
      await finished.happened;
      return text('late');
    };
    const { budget, port } = await open(handle, (_asked, response) => response.once('close', gone.happen));
    const sent = request(`${port.url}slow`, { method: 'POST', agent: false });
    sent.on('error', () => undefined).end(piece);
    await reached.happened;
    sent.destroy();
    await gone.happened;
    expect(budget.used).toBe(piece.length);
    finished.happen();
    await settled();
    expect(budget.used).toBe(0);
    await port.close();
  });

  it('leaves nothing taken for a request behind another one on its connection', async () => {
    const [both, finished, gone] = [event(), event(), event()];
    let handled = 0;
    const handle = async () => {
      if ((handled += 1) === 2) both.happen();
      await finished.happened;
      return text('late');
    };
    const { budget, port } = await open(handle, (asked) => asked.socket.once('close', gone.happen));
    const client = connect({ port: Number(new URL(port.url).port), host: '127.0.0.1' });
    const head = `POST /slow HTTP/1.1\r\nHost: node\r\nContent-Length: ${piece.length}\r\n\r\n`;
    client.on('error', () => undefined).write((head + piece).repeat(2));
    await both.happened;
    expect(budget.used).toBe(2 * piece.length);
    client.destroy();
    await gone.happened;
    finished.happen();
    await settled();
    expect(budget.used).toBe(0);
    await port.close();
  });
});
