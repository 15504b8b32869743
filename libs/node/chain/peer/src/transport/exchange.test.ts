import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { silentMetrics } from '@tetrad/types';
import type { Endpoint } from '../identity/enode.js';
import { DEFAULT_PEER_LIMITS } from '../limits.js';
import { PeerConnection } from '../peers/peer-connection.js';
import { Stopwatch } from '../peers/stopwatch.js';
import { Session, readSessionId, type SessionId } from '../session/session.js';
import { exchange } from './exchange.js';
import { PeerClient } from './peer-client.js';
import { SESSION_HEADER, STATUS } from './protocol.js';
import { StreamOpener } from './stream-opener.js';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

/** Both ends of a session. */
function session(index: number, maxFrames?: number) {
  const id = readSessionId(index.toString(16).padStart(32, '0'));
  if (id === undefined) throw new TypeError('not an id');
  return {
    near: new Session({ id, sending: one, receiving: two }, true, 'i', 0, maxFrames),
    far: new Session({ id, sending: two, receiving: one }, false, 'i', 0),
  };
}

/** A connection to a server that answers as the test wants. */
const carriersTo = (endpoint: Endpoint) => ({
  client: new PeerClient(endpoint, { connections: 2, connectTimeoutMs: 1_000 }),
  streams: new StreamOpener(endpoint, { limits: DEFAULT_PEER_LIMITS, now: () => 0 }),
});

async function linkTo(answer: (id: string, body: Buffer) => { status: number; body?: Uint8Array } | 'break') {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(STATUS.notFound).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const result = answer(String(request.headers[SESSION_HEADER]), Buffer.concat(chunks));
      if (result === 'break') request.socket.destroy();
      else response.writeHead(result.status).end(result.body);
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const detached: SessionId[] = [];
  const connection = new PeerConnection({
    limits: DEFAULT_PEER_LIMITS,
    now: () => 0,
    instance: 'i',
    direction: 'outbound',
    prefersOwn: true,
    ...carriersTo(endpoint),
    handle: async () => undefined,
    onDetached: (id) => detached.push(id),
  });
  return { connection, detached };
}

const request = { kind: 'request', message: Uint8Array.of(7), timeoutMs: 5_000, answerBytes: 100 } as const;
const tools = { limits: DEFAULT_PEER_LIMITS, stopwatch: new Stopwatch(silentMetrics) };
const run = (connection: PeerConnection, changes = {}) =>
  exchange(connection, { ...request, ...changes }, tools);

describe('an exchange', () => {
  it('returns the answer of the peer', async () => {
    const { near, far } = session(1);
    const { connection } = await linkTo((_, body) => {
      const { counter, plaintext } = far.open('request', body);
      return { status: 200, body: far.sealAnswer('request', counter, Uint8Array.of(...plaintext, 8)) };
    });
    connection.attach(near);
    const outcome = await run(connection);
    expect(outcome.kind === 'answered' && [...outcome.answer]).toEqual([7, 8]);
  });

  it('takes another session when the peer does not know one, and reports when no session is left', async () => {
    const [old, fresh] = [session(1), session(2)];
    const { connection, detached } = await linkTo((id, body) => {
      if (id !== fresh.far.id) return { status: 401 };
      const { counter } = fresh.far.open('request', body);
      return { status: 200, body: fresh.far.sealAnswer('request', counter, new Uint8Array(0)) };
    });
    connection.attach(fresh.near);
    connection.attach(old.near);
    expect((await run(connection)).kind).toBe('answered');
    expect(detached).toEqual([old.near.id]);
    connection.detach(fresh.near.id);
    expect(await run(connection)).toEqual({ kind: 'forgotten' });
  });

  it('does not use keys beyond their limit', async () => {
    const { near } = session(1, 0);
    const { connection } = await linkTo(() => ({ status: 200 }));
    connection.attach(near);
    expect(await run(connection)).toEqual({ kind: 'forgotten' });
  });

  it('tries once more over another connection, with another counter', async () => {
    const { near, far } = session(1);
    const counters: number[] = [];
    const { connection } = await linkTo((_, body) => {
      const { counter } = far.open('request', body);
      counters.push(counter);
      if (counters.length === 1) return 'break';
      return { status: 200, body: far.sealAnswer('request', counter, new Uint8Array(0)) };
    });
    connection.attach(near);
    expect((await run(connection)).kind).toBe('answered');
    expect(counters).toHaveLength(2);
    expect(new Set(counters).size).toBe(2);
  });

  it.each([
    ['is busy', () => ({ status: 429 }), { kind: 'busy' }],
    ['refuses', () => ({ status: 403 }), { kind: 'lost', reason: 'refused' }],
    ['breaks off', () => 'break' as const, { kind: 'lost', reason: 'unreachable' }],
    [
      'answers what it did not seal',
      () => ({ status: 200, body: new Uint8Array(60) }),
      { kind: 'lost', reason: 'unreachable' },
    ],
    [
      'answers more than was allowed',
      () => ({ status: 200, body: new Uint8Array(6_000) }),
      { kind: 'lost', reason: 'unreachable' },
    ],
  ])('ends when the peer %s', async (_, answer, expected) => {
    const { connection } = await linkTo(answer);
    connection.attach(session(1).near);
    expect(await run(connection)).toEqual(expected);
  });

  it('ends without an answer in time, and when the connection is closed', async () => {
    const { connection } = await linkTo(() => 'break');
    const silent = createServer(() => undefined);
    servers.push(silent);
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const endpoint = { host: '127.0.0.1', port: (silent.address() as AddressInfo).port };
    const waiting = new PeerConnection({
      limits: DEFAULT_PEER_LIMITS,
      now: () => 0,
      instance: 'i',
      direction: 'outbound',
      prefersOwn: true,
      ...carriersTo(endpoint),
      handle: async () => undefined,
      onDetached: () => undefined,
    });
    waiting.attach(session(3).near);
    expect(await run(waiting, { timeoutMs: 50 })).toEqual({ kind: 'late' });
    connection.close();
    expect(await run(connection)).toEqual({ kind: 'lost', reason: 'unreachable' });
    waiting.attach(session(4).near);
    const running = run(waiting);
    await new Promise((done) => setTimeout(done, 100));
    waiting.close();
    expect(await running).toEqual({ kind: 'lost', reason: 'unreachable' });
  });
});

describe('the session for sending', () => {
  it('is the same on both sides, whichever dialled last', async () => {
    const { connection } = await linkTo(() => 'break');
    const [own, theirs, later] = [session(1).near, session(2).far, session(3).near];
    connection.attach(own);
    connection.attach(theirs);
    expect(connection.session).toBe(own);
    connection.attach(later);
    expect(connection.session).toBe(later);
    connection.detach(later.id);
    connection.detach(own.id);
    expect(connection.session).toBe(theirs);
  });

  it('is one of a bounded number', async () => {
    const { connection, detached } = await linkTo(() => 'break');
    for (let index = 1; index <= 9; index++) connection.attach(session(index).near);
    expect(detached).toHaveLength(5);
    expect(connection.session?.id).toBe(session(9).near.id);
  });
});
