import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, until } from '@tetrad/testkit';
import { recordedPair } from '../../transaction-manager/test/recorded.js';
import { startManager, type RunningManager } from '../../transaction-manager/test/running-managers.js';
import type { ManagerClientOptions } from '../src/connection.js';
import { ManagerClient } from '../src/manager-client.js';

const certificates = (name: string) =>
  readFileSync(new URL(`../../service/test/vectors/${name}`, import.meta.url), 'utf8');
const CA = certificates('ca.crt');
const SERVER = { cert: certificates('server.crt'), key: certificates('server.key') };
const CLIENT = { ca: CA, cert: certificates('client.crt'), key: certificates('client.key') };
const PEER_TLS = { ...SERVER, ca: CA, client: CLIENT, mutual: true };
const STRANGER = { ca: CA, cert: certificates('stranger.crt'), key: certificates('stranger.key') };

const [A1, B1] = ['a1', 'b1'].map((name) => recordedPair(name).publicKey) as [
  ReturnType<typeof recordedPair>['publicKey'],
  ReturnType<typeof recordedPair>['publicKey'],
];
const PLAIN = { privacyFlag: 0, affected: [], execHash: '', mandatoryFor: [], from: undefined };
const PAYLOAD = Buffer.from('payload');

let folder: string;
let socket: string;
let first: RunningManager;
let second: RunningManager;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-tm-'));
  socket = join(folder, 'tm.sock');
  first = await startManager(['a1'], {
    clientTls: { ...SERVER, ca: CA, requestCert: true, rejectUnauthorized: true },
    clientSocket: socket,
    peerTls: PEER_TLS,
  });
  second = await startManager(['b1'], { peers: [first.peerUrl], peerTls: PEER_TLS });
  for (const { parties } of [first, second]) await until(async () => parties.entries.length === 2);
});
afterAll(async () => {
  await second.end();
  await first.end();
  await rm(folder, { recursive: true });
});

async function withClient<T>(
  options: ManagerClientOptions,
  use: (client: ManagerClient) => Promise<T>,
): Promise<T> {
  const client = new ManagerClient({ timeoutMs: 60_000, connectTimeoutMs: 60_000, ...options });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const https = () => ({ url: first.clientUrl.slice(0, -1), tls: CLIENT });

describe('a Tetrad manager', () => {
  it.each([
    ['https with a client certificate', https],
    ['a socket file', () => ({ url: `unix:${socket}` })],
  ])('over %s sends, stores and reads', async (_, options) => {
    await withClient(options(), async (client) => {
      expect(await client.upcheck()).toEqual({ kind: 'done', value: undefined });
      expect(await client.features()).toMatchObject({ value: { version: '5.0', mandatoryRecipients: true } });
      const sent = await client.send({
        ...PLAIN,
        payload: PAYLOAD,
        to: [B1],
        privacyFlag: 2,
        mandatoryFor: [B1],
      });
      if (sent.kind !== 'done') throw new Error(JSON.stringify(sent));
      expect(sent.value).toMatchObject({ managedParties: [A1], sender: A1 });
      const { hash } = sent.value;
      const found = await client.receive(hash);
      expect(found).toMatchObject({
        kind: 'found',
        value: { plaintext: PAYLOAD, privacyFlag: 2, sender: A1 },
      });
      expect(await client.isSender(hash)).toEqual({ kind: 'found', value: true });
      expect(await client.mandatoryRecipients(hash)).toEqual({ kind: 'found', value: [B1] });
      expect(await client.participants(hash)).toEqual({ kind: 'found', value: [B1, A1] });
      const stored = await client.storeRaw(PAYLOAD, A1);
      if (stored.kind !== 'done') throw new Error(JSON.stringify(stored));
      const raw = stored.value.hash;
      expect(await client.receiveRaw(raw)).toMatchObject({ kind: 'found', value: { plaintext: PAYLOAD } });
      expect(await client.receive(raw)).toEqual({ kind: 'not-found' });
      const signed = await client.sendSigned({ ...PLAIN, hash: raw, to: [B1] });
      expect(signed).toMatchObject({ kind: 'done', value: { hash: raw } });
      expect(await client.sendRaw(PAYLOAD, { from: A1, to: [B1] })).toMatchObject({ kind: 'done' });
      expect(await client.residentGroups()).toMatchObject({ kind: 'refused', status: 503 });
    });
    const there = { url: second.clientUrl.slice(0, -1) };
    const hash = Buffer.alloc(64, 1);
    expect(await withClient(there, (client) => client.isSender(hash))).toEqual({ kind: 'not-found' });
  });

  it('says of each recipient that it is not known', async () => {
    const unknown = [recordedPair('b2').publicKey, recordedPair('c1').publicKey];
    const sent = await withClient(https(), (client) =>
      client.send({ ...PLAIN, payload: PAYLOAD, to: [...unknown, B1] }),
    );
    const text = unknown.map((key) => `Recipient not found for key: ${key}`).join('\n');
    expect(sent).toEqual({ kind: 'refused', status: 404, text });
  });

  it('has a socket that only its user may use, and replaces one that a killed manager left behind', async () => {
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    await expect(startManager(['c1'], { clientSocket: socket })).rejects.toThrow('EADDRINUSE');
    const left = join(folder, 'left.sock');
    await leaveBehind(left);
    const third = await startManager(['c1'], { clientSocket: left });
    const up = await withClient({ url: `unix://${left}` }, (client) => client.upcheck());
    await third.end();
    expect(up.kind).toBe('done');
  });

  it.each([
    ['no certificate', { ca: CA }],
    ['that of a stranger', STRANGER],
    ['an authority that did not sign the manager', { ...CLIENT, ca: STRANGER.cert }],
  ])('is unknown to a client with %s', async (_, tls) => {
    const outcome = await withClient({ ...https(), tls }, (client) => client.receive(Buffer.alloc(64)));
    expect(outcome).toEqual({ kind: 'unknown', reason: expect.any(String) });
  });

  it('lets in no peer without a certificate', async () => {
    const third = await startManager(['c1'], { peers: [first.peerUrl] });
    await third.recovery.run();
    await third.end();
    expect(first.parties.entries.map(({ key }) => key).sort()).toEqual([A1, B1].sort());
  });
});

/** A socket file without a listening process. */
async function leaveBehind(path: string): Promise<void> {
  const { spawnSync } = await import('node:child_process');
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
}

describe('a manager that is unavailable', () => {
  const hash = Buffer.alloc(64, 3);

  async function listening(server: Server): Promise<string> {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function outcomesOf(options: ManagerClientOptions): Promise<string[]> {
    return withClient({ timeoutMs: 300, ...options }, async (client) => {
      const asked = [
        client.receive(hash),
        client.receiveRaw(hash),
        client.isSender(hash),
        client.send({ ...PLAIN, payload: PAYLOAD, to: [] }),
        client.storeRaw(PAYLOAD, undefined),
        client.upcheck(),
      ];
      return (await Promise.all(asked)).map(({ kind }) => kind);
    });
  }

  const ALL_UNKNOWN = Array.from({ length: 6 }, () => 'unknown');

  it('is unknown: the port or the socket is closed', async () => {
    expect(await outcomesOf({ url: `http://127.0.0.1:${await freePort()}` })).toEqual(ALL_UNKNOWN);
    expect(await outcomesOf({ url: `unix:${join(folder, 'nothing.sock')}` })).toEqual(ALL_UNKNOWN);
  });

  it('is unknown: it takes connections and never answers', async () => {
    const sockets = new Set<Socket>();
    const server = createTcpServer((one) => sockets.add(one));
    const url = await listening(server);
    expect(await outcomesOf({ url })).toEqual(ALL_UNKNOWN);
    for (const one of sockets) one.destroy();
    server.close();
  });

  it('is unknown: it ends in the middle, drips, or answers more than the limit', async () => {
    const timers = new Set<NodeJS.Timeout>();
    const server = createServer((request, response) => {
      if (request.url === '/version/api') return void response.end('["3.0"]');
      if (request.url?.includes('isSender') === true) {
        timers.add(setInterval(() => response.write(' '), 20));
      } else if (request.url?.includes('isRaw') === true) {
        response.writeHead(200, { 'content-length': '100' }).write('{"pay');
        setImmediate(() => response.destroy());
      } else {
        response.end(JSON.stringify({ payload: 'A'.repeat(40_000) }));
      }
    });
    const url = await listening(server);
    const outcomes = await withClient({ url, timeoutMs: 1_000, maxAnswerBytes: 30_000 }, (client) =>
      Promise.all([client.isSender(hash), client.receiveRaw(hash), client.receive(hash)]),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'unknown']);
    for (const timer of timers) clearInterval(timer);
    server.closeAllConnections();
    server.close();
  });

  it('is unknown when the caller gives up; and is known again when it is back', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await withClient({ url }, async (client) => {
      expect((await client.receive(hash, undefined, AbortSignal.abort())).kind).toBe('unknown');
      expect((await client.receive(hash)).kind).toBe('unknown');
      const manager = await startManager(['c1'], { client: { host: '127.0.0.1', port } });
      const found = await client.receive(hash);
      await manager.end();
      expect(found).toEqual({ kind: 'not-found' });
    });
  });

  it.each(['', 'ftp://host', 'unix:', 'http://', 'http://host/path', '/tmp/socket'])(
    'has no URL %j',
    (url) => {
      expect(() => new ManagerClient({ url })).toThrow(TypeError);
    },
  );
});
