import { afterAll, describe, expect, it } from '@jest/globals';
import { send, talk } from './raw-requests.js';
import { startTestService, stopTestServices } from './running-service.js';

afterAll(stopTestServices);

describe('the operations port', () => {
  it('reports liveness, version and metrics of the service', async () => {
    const { opsUrl } = await startTestService();
    expect(await (await fetch(`${opsUrl}/livez`)).json()).toEqual({ live: true });
    expect(await (await fetch(`${opsUrl}/version`)).json()).toEqual({
      name: 'test',
      version: '1.2.3',
      pid: process.pid,
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

describe('exposure', () => {
  it('refuses to listen off loopback when callers are not authenticated', async () => {
    await expect(startTestService(['--http-listen-host', '0.0.0.0'])).rejects.toThrow(
      /^--http-listen-host: 0\.0\.0\.0 is not loopback and callers are not authenticated/,
    );
  });

  it('listens off loopback with --insecure', async () => {
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
