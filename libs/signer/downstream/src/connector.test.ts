import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createConnector } from './connector.js';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** The port of an HTTP proxy that takes connections and requests, and says nothing. */
async function silentProxy(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.resume()));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

describe('a tunnel to the Ethereum client', () => {
  it('is given up when the HTTP proxy says nothing in the time of a request', async () => {
    const connect = createConnector({
      timeoutMs: 100,
      tls: { trustAuthorities: true, knownServers: new Map() },
      tunnel: { host: '127.0.0.1', port: await silentProxy() },
    });
    const target = { hostname: 'node.example', protocol: 'https:', port: '8545' };
    const error = await new Promise((done) => connect(target, (...[failure]) => done(failure)));
    expect(error).toMatchObject({ name: 'HeadersTimeoutError' });
  });
});
