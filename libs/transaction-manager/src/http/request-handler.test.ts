import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics } from '@tetrad/types';
import { ByteBudget } from './byte-budget.js';
import { listenHttp, type HttpPort } from './http-server.js';
import { requestHandler, type HandlerOptions } from './request-handler.js';
import { text, type Route } from './route.js';

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
