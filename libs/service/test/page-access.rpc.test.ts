import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createMetrics } from '../src/index.js';
import { send, talk, upgradeRequest } from './raw-requests.js';
import { startTestService, stopTestServices } from './running-service.js';

afterAll(stopTestServices);

describe('the host allow-list', () => {
  it.each(['localhost', 'LOCALHOST:22000', '127.0.0.1:1', '[::1]:80', '10.0.0.7', 'node.bank.example'])(
    'lets %s pass',
    async (host) => {
      const { url } = await startTestService(['--host-allowlist', 'localhost,node.bank.example']);
      expect((await send(url, { headers: { host } })).status).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    'xlocalhost',
    '127.0.0.1.evil.example',
    'localhost@evil',
  ])('refuses "%s" with 403', async (host) => {
    const { url } = await startTestService();
    const answer = await send(url, { headers: { host } });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toEqual({
      message: 'Host not authorized.',
      error: 'host not allowed (see --host-allowlist)',
    });
  });

  it('names the option that the service has for it', async () => {
    const accessFlags = { hosts: '--their-hosts', origins: '--their-origins' };
    const { url } = await startTestService([], { accessFlags });
    const answer = await send(url, { headers: { host: 'evil.example' } });
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('(see --their-hosts)') });
  });

  it('refuses a request that names no host', async () => {
    const { url } = await startTestService();
    expect(await talk(url, 'POST / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([
    ['an allowed one and a foreign one', 'Host: localhost\r\nHost: evil.example'],
    ['the same twice', 'Host: localhost\r\nhost: localhost'],
  ])('answers 400 to two Host lines, %s, as RFC 9112 demands', async (_title, lines) => {
    const { url } = await startTestService();
    expect(await talk(url, `POST / HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 [^]*more than one Host/,
    );
    const upgrade = upgradeRequest().replace('Host: localhost', lines);
    expect(await talk(url, upgrade)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('guards routes too, and counts the requests it rejected', async () => {
    const metrics = createMetrics({ service: 'test', version: '1' });
    const { url } = await startTestService([], {
      metrics,
      routes: (app) => app.get('/thing', (_request, response) => void response.send('thing')),
    });
    expect((await send(`${url}/thing`, { method: 'GET' })).body).toBe('thing');
    expect((await send(`${url}/thing`, { method: 'GET', headers: { host: 'evil.example' } })).status).toBe(
      403,
    );
    expect(await metrics.expose()).toContain('test_http_denials_total{status="403"} 1');
  });

  it('can be opened to any host', async () => {
    const { url } = await startTestService(['--host-allowlist', '*']);
    expect((await send(url, { headers: { host: 'anything.example' } })).status).toBe(200);
  });
});

describe('CORS', () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  };

  it('is off: pages of other origins are rejected', async () => {
    const { url } = await startTestService();
    const answer = await send(url, preflight);
    expect(answer.status).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    const call = await send(url, { headers: { origin: 'https://app.example' } });
    expect(call.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each(['https://app.example', 'null', 'chrome-extension://x', 'https://app.example, http://localhost'])(
    'does nothing for a page of %s',
    async (origin) => {
      let served = 0;
      const metrics = createMetrics({ service: 'test', version: '1' });
      const handle = (_request: IncomingMessage, response: ServerResponse) => {
        served++;
        response.end();
      };
      const { url } = await startTestService([], {
        metrics,
        rpc: { paths: ['/'], handle },
        publicRoutes: (app) => app.get('/upcheck', handle),
        routes: (app) => app.post('/thing', handle),
      });
      for (const [method, path] of [
        ['POST', '/'],
        ['GET', '/upcheck'],
        ['POST', '/thing'],
      ] as const) {
        const answer = await send(`${url}${path}`, { method, headers: { origin } });
        expect(answer.status).toBe(403);
        expect(JSON.parse(answer.body)).toEqual({ error: 'origin not allowed (see --cors-origins)' });
      }
      expect(served).toBe(0);
      expect(await metrics.expose()).toContain('test_http_denials_total{status="403"} 3');
    },
  );

  it('does not apply to clients without an origin, nor to those that name the service itself', async () => {
    const { url } = await startTestService(['--host-allowlist', 'localhost,node.example']);
    expect((await send(url)).status).toBe(200);
    expect((await send(url, { headers: { origin: url } })).status).toBe(200);
    const proxied = { host: 'node.example', origin: 'https://node.example' };
    expect((await send(url, { headers: proxied })).status).toBe(200);
    expect((await send(url, { headers: { ...proxied, origin: 'https://node.example:8080' } })).status).toBe(
      403,
    );
    expect((await send(url, { headers: { ...proxied, host: 'evil.example' } })).status).toBe(403);
  });

  it('admits the listed origin only', async () => {
    const { url } = await startTestService(['--cors-origins', 'https://app.example']);
    const answer = await send(url, preflight);
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-headers': 'Content-Type, Authorization',
      vary: 'Origin',
    });
    const other = await send(url, {
      ...preflight,
      headers: { ...preflight.headers, origin: 'https://evil.example' },
    });
    expect(other.status).toBe(403);
    const call = await send(url, { headers: { origin: 'https://app.example' } });
    expect(call.headers['access-control-allow-origin']).toBe('https://app.example');
  });
});

describe('WebSocket requests', () => {
  const webSocket = (_request: unknown, socket: { end(text: string): void }) =>
    socket.end('HTTP/1.1 101 Taken\r\n\r\n');

  it('reach their handler', async () => {
    const { url } = await startTestService([], { webSocket });
    expect(await talk(url, upgradeRequest())).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('of a page of another origin are refused with 403, unless it is listed', async () => {
    const { url } = await startTestService(['--cors-origins', 'https://app.example'], { webSocket });
    expect(await talk(url, upgradeRequest('Origin: https://evil.example\r\n'))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await talk(url, upgradeRequest('Origin: https://app.example\r\n'))).toMatch(/^HTTP\/1\.1 101 /);
    expect(await talk(url, upgradeRequest('Origin: http://localhost\r\n'))).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('under a foreign host are refused with 403', async () => {
    const { url } = await startTestService([], { webSocket });
    expect(await talk(url, upgradeRequest().replace('localhost', 'evil.example'))).toMatch(
      /^HTTP\/1\.1 403 /,
    );
  });
});
