import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { FaultyProxy } from './faulty-proxy.js';

let server: Server;
let proxy: FaultyProxy;
beforeEach(async () => {
  // It answers each message with two bytes more.
  server = createServer((socket) =>
    socket.on('data', (chunk) => socket.end(Buffer.concat([chunk, Buffer.alloc(2)]))),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  proxy = await FaultyProxy.open({ port: () => (server.address() as AddressInfo).port });
});
afterEach(async () => {
  await proxy.close();
  await new Promise((done) => server.close(done));
});

it('a link counts the bytes that pass in both directions', async () => {
  for (const size of [1, 5_000]) {
    const before = proxy.bytes;
    const answered = await new Promise<number>((done, fail) => {
      let length = 0;
      const socket = connect(proxy.port, '127.0.0.1', () => socket.write(Buffer.alloc(size)));
      socket.on('data', (chunk: Buffer) => (length += chunk.length));
      socket.on('end', () => done(length)).on('error', fail);
    });
    expect(answered).toBeGreaterThan(size);
    expect(proxy.bytes - before).toBe(size + answered);
  }
});
