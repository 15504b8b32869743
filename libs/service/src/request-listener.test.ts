import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { Gate } from './gate.js';
import { upgradeListener } from './request-listener.js';

const UPGRADE = 'GET / HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

const refused = { status: 401, problem: 'no token' } as const;
const gates: Readonly<Record<string, Gate>> = {
  'its host': { screen: () => refused, authenticates: true, admit: async () => undefined },
  'its token': { screen: () => undefined, authenticates: true, admit: async () => refused },
};

describe('a refused WebSocket', () => {
  it.each(Object.keys(gates))('is closed for %s though the client keeps its side open', async (which) => {
    const state = { stopping: false, upgraded: new Set<Socket>() };
    const server = createServer();
    const handle = () => undefined;
    server.on('upgrade', upgradeListener(handle, { gate: gates[which] as Gate, state }));
    const closed = new Promise<void>((done) =>
      server.once('connection', (socket: Socket) => socket.once('close', () => done())),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    client.on('data', (data: Buffer) => (answer += data.toString()));
    const ended = new Promise<void>((done) => client.once('end', done));
    client.write(UPGRADE);
    await Promise.all([ended, closed]);
    expect(answer).toContain('401 no token');
    expect(state.upgraded.size).toBe(0);
    client.destroy();
    await new Promise((done) => server.close(done));
  });
});
