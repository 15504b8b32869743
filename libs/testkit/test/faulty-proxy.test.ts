import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FaultyNetwork, FaultyProxy } from '@tetrad/testkit';

let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer((request, response) => request.pipe(response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

async function echo(at: number, body: string, signal?: AbortSignal): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${at}`, {
    method: 'POST',
    body,
    headers: { connection: 'close' },
    ...(signal === undefined ? {} : { signal }),
  });
  return answer.text();
}

describe('a faulty link', () => {
  let proxy: FaultyProxy;
  beforeEach(async () => {
    proxy = await FaultyProxy.open({ port: () => port });
  });
  afterEach(() => proxy.close());

  it('passes bytes both ways', async () => {
    const body = 'x'.repeat(300_000);
    expect(await echo(proxy.port, body)).toBe(body);
  });

  it.each([
    ['late', { kind: 'delay', ms: 30 }],
    ['one by one', { kind: 'trickle', bytesPerSecond: 5_000 }],
  ] as const)('passes them %s and whole', async (_, fault) => {
    proxy.set(fault);
    expect(await echo(proxy.port, 'hello')).toBe('hello');
  });

  it('breaks connections while it is cut, and passes new ones when it is healed', async () => {
    proxy.set({ kind: 'cut' });
    await expect(echo(proxy.port, 'hello')).rejects.toThrow();
    proxy.heal();
    expect(await echo(proxy.port, 'again')).toBe('again');
  });

  it('holds everything back while it stalls, and delivers it when it is healed', async () => {
    proxy.set({ kind: 'stall' });
    await expect(echo(proxy.port, 'hello', AbortSignal.timeout(100))).rejects.toThrow();
    const waiting = echo(proxy.port, 'hello');
    proxy.heal();
    expect(await waiting).toBe('hello');
  });
});

describe('links between nodes', () => {
  it('part into groups, and come together again', async () => {
    const network = await FaultyNetwork.open([() => port, () => port, () => port]);
    try {
      network.partition([[0, 1], [2]]);
      expect(await echo(network.portOf(0, 1), 'within')).toBe('within');
      await expect(echo(network.portOf(0, 2), 'across')).rejects.toThrow();
      await expect(echo(network.portOf(2, 1), 'across')).rejects.toThrow();
      network.heal();
      expect(await echo(network.portOf(2, 1), 'across')).toBe('across');
    } finally {
      await network.close();
    }
  });
});
