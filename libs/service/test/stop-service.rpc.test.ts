import { afterAll, describe, expect, it } from '@jest/globals';
import { talk, upgradeRequest } from './raw-requests.js';
import { startTestService, stopTestServices } from './running-service.js';

afterAll(stopTestServices);

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

  it('is not held up by a WebSocket', async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((done) => (arrive = done));
    const service = await startTestService(['--shutdown-timeout', '200ms'], { webSocket: () => arrive() });
    const connection = talk(service.url, upgradeRequest());
    await arrived;
    await service.stop();
    expect(await connection).toBe('');
  });
});
