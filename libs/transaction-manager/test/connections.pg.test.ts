import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { startManager, type RunningManager } from './running-managers.js';

const [STRANGER, HOST] = ['127.0.0.2', '127.0.0.1'] as const;

let manager: RunningManager | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await manager?.end();
});

/** Connections that send nothing, and how many of them the manager has closed. */
function hold(url: string, localAddress: string, count: number): { readonly closed: number } {
  const { hostname: host, port } = new URL(url);
  const held = { closed: 0 };
  for (let index = 0; index < count; index += 1)
    sockets.push(
      connect({ host, port: Number(port), localAddress })
        .on('error', () => undefined)
        .on('close', () => (held.closed += 1)),
    );
  return held;
}

/** @returns the status; 0 when the connection was closed instead */
function upcheck(url: string, localAddress: string): Promise<number> {
  return new Promise((done) => {
    const asked = request(`${url}upcheck`, { localAddress, agent: false }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    asked.on('error', () => done(0));
    asked.end();
  });
}

describe('connections to the peer port', () => {
  it('of one address are 64, and others have theirs', async () => {
    manager = await startManager(['a1']);
    const held = hold(manager.peerUrl, STRANGER, 70);
    await until(() => held.closed === 6);
    expect(await upcheck(manager.peerUrl, STRANGER)).toBe(0);
    expect(await upcheck(manager.peerUrl, HOST)).toBe(200);
    expect(held.closed).toBe(6);
  });

  it('of one address are as many as the operator says', async () => {
    manager = await startManager(['a1'], { connectionsPerAddress: 2 });
    const held = hold(manager.peerUrl, STRANGER, 3);
    await until(() => held.closed === 1);
    expect(await upcheck(manager.peerUrl, STRANGER)).toBe(0);
  });

  it('of all strangers leave room for the hosts of --peers', async () => {
    const quiet = { checksLoss: false, peerTimeoutMs: 50 };
    manager = await startManager(['a1'], { ...quiet, peers: [`http://${HOST}:1/`] });
    const held = hold(manager.peerUrl, STRANGER, 64);
    for (let host = 3; host < 20; host += 1) hold(manager.peerUrl, `127.0.0.${host}`, 64);
    const url = manager.peerUrl;
    await until(async () => (await upcheck(url, '127.0.0.30')) === 0);
    expect(await upcheck(url, HOST)).toBe(200);
    expect(held.closed).toBe(0);
  });

  it('for nodes are not counted by address', async () => {
    manager = await startManager(['a1'], { connectionsPerAddress: 1 });
    hold(manager.clientUrl, STRANGER, 5);
    expect(await upcheck(manager.clientUrl, STRANGER)).toBe(200);
  });
});
