import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createMetrics } from '../src/index.js';
import { startTestService, stopTestServices } from './running-service.js';

afterAll(stopTestServices);

/** A request with any headers, which `fetch` would not let through. */
function send(
  url: string,
  { headers = {}, method = 'POST' }: { headers?: Record<string, string>; method?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((done, fail) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', fail);
    request.end();
  });
}

/** What the server says to raw bytes, until it closes the connection. */
function talk(url: string, bytes: string): Promise<string> {
  return new Promise((done) => {
    const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => done(text));
  });
}

describe('the operations port', () => {
  it('tells that the service lives, its version and its metrics', async () => {
    const { opsUrl } = await startTestService();
    expect(await (await fetch(`${opsUrl}/livez`)).json()).toEqual({ live: true });
    expect(await (await fetch(`${opsUrl}/version`)).json()).toEqual({
      ...{ name: 'test', version: '1.2.3', pid: process.pid },
    });
    const metrics = await fetch(`${opsUrl}/metrics`);
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await metrics.text()).toContain('process_cpu_user_seconds_total');
    expect((await fetch(`${opsUrl}/other`)).status).toBe(404);
  });

  it('names what is not ready, and a check that throws is not ready', async () => {
    let behind: string | undefined = '12 blocks behind';
    const { opsUrl } = await startTestService([], {
      readiness: {
        sync: () => behind,
        database: async () => {
          if (behind !== undefined) throw new Error('connection refused');
          return undefined;
        },
        keys: () => undefined,
      },
    });
    const before = await fetch(`${opsUrl}/readyz`);
    expect(before.status).toBe(503);
    expect(await before.json()).toEqual({
      ready: false,
      notReady: { sync: '12 blocks behind', database: 'connection refused' },
    });
    behind = undefined;
    const after = await fetch(`${opsUrl}/readyz`);
    expect(after.status).toBe(200);
    expect(await after.json()).toEqual({ ready: true, notReady: {} });
  });

  it('is another port than that of the service', async () => {
    const { url } = await startTestService();
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});

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

  it('guards routes too, and counts what it turned away', async () => {
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

  it('is off: no page of another origin gets leave', async () => {
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

  it('is not asked of clients without an origin, nor of those that name the service itself', async () => {
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

  it('gives leave to the listed origin only', async () => {
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

describe('exposure', () => {
  it('refuses to listen off loopback when callers are not authenticated', async () => {
    await expect(startTestService(['--http-listen-host', '0.0.0.0'])).rejects.toThrow(
      /^--http-listen-host: 0\.0\.0\.0 is not loopback and callers are not authenticated/,
    );
  });

  it('takes the operator at his word', async () => {
    const { url } = await startTestService(['--http-listen-host', '0.0.0.0', '--insecure']);
    expect((await send(url.replace('0.0.0.0', '127.0.0.1'))).status).toBe(200);
  });

  it('names a port that is taken, and leaves nothing open', async () => {
    const { url, opsUrl } = await startTestService();
    const port = new URL(url).port;
    await expect(startTestService(['--http-listen-port', port])).rejects.toMatchObject({
      name: 'StartupError',
      message: `--http-listen-port: port ${port} on 127.0.0.1 is already in use`,
    });
    await expect(startTestService(['--ops-listen-port', new URL(opsUrl).port])).rejects.toThrow(
      '--ops-listen-port',
    );
  });
});

describe('routes', () => {
  it('that fail answer 500 without the reason, and bad bodies 400', async () => {
    const { url } = await startTestService([], {
      routes(app) {
        app.get('/fault', () => {
          throw new Error('the secret reason');
        });
        app.get('/refused', () => {
          throw Object.assign(new Error('no'), { status: 400 });
        });
      },
    });
    const fault = await send(`${url}/fault`, { method: 'GET' });
    expect(fault).toMatchObject({ status: 500, body: '{"error":"internal error"}' });
    expect((await send(`${url}/refused`, { method: 'GET' })).status).toBe(400);
    expect((await send(`${url}/nowhere`, { method: 'GET' })).status).toBe(404);
  });
});

describe('slow and broken clients', () => {
  it('are dropped when their headers do not come in time', async () => {
    const { url } = await startTestService(['--http-headers-timeout', '200ms']);
    expect(await talk(url, 'POST / HTTP/1.1\r\nHost: loc')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('are dropped when their body does not come in time', async () => {
    const { url } = await startTestService(
      ['--http-headers-timeout', '100ms', '--http-request-timeout', '300ms'],
      {
        rpc: { paths: ['/'], handle: (request) => void request.resume() },
      },
    );
    expect(await talk(url, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc')).toMatch(
      / 408 /,
    );
  });

  it('get 400 for what is not HTTP and 431 for endless headers', async () => {
    const { url } = await startTestService();
    expect(await talk(url, 'GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await talk(url, `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('a stop', () => {
  it('lets the running request finish, refuses new ones and closes what the service holds, in this order', async () => {
    const order: string[] = [];
    let finish: () => void = () => undefined;
    const arrived = new Promise<void>((reached) => {
      finish = reached;
    });
    let release: () => void = () => undefined;
    const service = await startTestService([], {
      rpc: {
        paths: ['/'],
        handle(_request, response) {
          finish();
          release = () => {
            order.push('answered');
            response.end('late');
          };
        },
      },
      onDrain: () => void order.push('drain'),
      onStop: () => void order.push('stop'),
    });
    const late = fetch(service.url, { method: 'POST' });
    await arrived;
    const stopped = service.stop();
    await expect(fetch(service.url, { method: 'POST' })).rejects.toThrow('fetch failed');
    const readiness = await fetch(`${service.opsUrl}/readyz`);
    expect(await readiness.json()).toMatchObject({ ready: false, notReady: { service: 'stopping' } });
    release();
    expect(await (await late).text()).toBe('late');
    await stopped;
    expect(order).toEqual(['drain', 'answered', 'stop']);
    await expect(fetch(`${service.opsUrl}/livez`)).rejects.toThrow('fetch failed');
  });

  it('cuts off a request that does not finish, and then still closes in order', async () => {
    let closed = false;
    let arrive = () => {};
    const arrived = new Promise<void>((done) => (arrive = done));
    const service = await startTestService(['--shutdown-timeout', '300ms'], {
      rpc: { paths: ['/'], handle: () => arrive() },
      onStop: () => {
        closed = true;
      },
    });
    const hanging = fetch(service.url, { method: 'POST' });
    const failure = expect(hanging).rejects.toThrow('fetch failed');
    await arrived;
    await service.stop();
    await failure;
    expect(closed).toBe(true);
  });

  it('asked for twice happens once', async () => {
    let stops = 0;
    const service = await startTestService([], { onStop: () => void (stops += 1) });
    await Promise.all([service.stop(), service.stop()]);
    expect(stops).toBe(1);
  });
});

describe('WebSocket requests', () => {
  const upgrade = (headers: string) =>
    `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`;
  const webSocket = (_request: unknown, socket: { end(text: string): void }) =>
    socket.end('HTTP/1.1 101 Taken\r\n\r\n');

  it('reach their handler', async () => {
    const { url } = await startTestService([], { webSocket });
    expect(await talk(url, upgrade(''))).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('of a page of another origin are refused with 403, unless it is listed', async () => {
    const { url } = await startTestService(['--cors-origins', 'https://app.example'], { webSocket });
    expect(await talk(url, upgrade('Origin: https://evil.example\r\n'))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await talk(url, upgrade('Origin: https://app.example\r\n'))).toMatch(/^HTTP\/1\.1 101 /);
    expect(await talk(url, upgrade('Origin: http://localhost\r\n'))).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('under a foreign host are refused with 403', async () => {
    const { url } = await startTestService([], { webSocket });
    expect(await talk(url, upgrade('').replace('localhost', 'evil.example'))).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('do not hold up a stop', async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((done) => (arrive = done));
    const service = await startTestService(['--shutdown-timeout', '200ms'], { webSocket: () => arrive() });
    const connection = talk(service.url, upgrade(''));
    await arrived;
    await service.stop();
    expect(await connection).toBe('');
  });
});
