import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { startManager } from './running-managers.js';

let silent: Server;
/** Questions that came, and those of them whose asker has gone. */
let [asked, cutOff] = [0, 0];
beforeEach(async () => {
  [asked, cutOff] = [0, 0];
  silent = createServer((request, response) => {
    if (request.url !== '/resendBatch') return response.end();
    asked += 1;
    response.on('close', () => (cutOff += 1));
  });
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
});
afterEach(() => {
  silent.closeAllConnections();
  silent.close();
});

it('a manager stops while a peer is silent that was asked what it holds', async () => {
  const peer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const manager = await startManager(['a1'], { peers: [peer] });
  await until(() => asked === 1);
  await manager.end();
  await until(() => cutOff === 1);
  expect(asked).toBe(1);
});
