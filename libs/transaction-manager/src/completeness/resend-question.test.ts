import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { VirtualClock, until } from '@tetrad/testkit';
import { PeerClient, PeerUnreachableError } from '../party/peer-client.js';
import { ResendQuestion } from './resend-question.js';

let server: Server | undefined;
let peers: PeerClient | undefined;
afterEach(async () => {
  await peers?.close();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

it('a question whose limit is over leaves no request at the peer', async () => {
  const [opened, closed]: [string[], string[]] = [[], []];
  server = createServer((request, response) => {
    opened.push(request.url ?? '');
    response.on('close', () => closed.push(request.url ?? ''));
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const clock = new VirtualClock();
  peers = new PeerClient({ timeoutMs: 60_000 });
  const question = new ResendQuestion({ peers, clock }, { idleMs: 1_000, wholeMs: 3_600_000 });
  const asked = question
    .ask(url, 'resendBatch', { publicKey: 'key', batchSize: 1 })
    .catch((error: unknown) => error);
  await until(() => opened.length === 1);
  expect(question.endedBy).toBeUndefined();
  await clock.runUntil(clock.now() + 1_000, () => false);
  expect(await asked).toBeInstanceOf(PeerUnreachableError);
  expect(question.endedBy).toBe('idleMs');
  await until(() => closed.length === 1);
});
