import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { PeerClient } from '../src/transport/peer-client.js';
import { STATUS } from '../src/transport/protocol.js';
import { encodePush } from '../src/wire/push-message.js';
import { eventually, pause } from './eventually.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';
import { makeTransaction } from './fake-pool.js';
import { HostilePeer, postRaw } from './hostile-peer.js';

/** Hostile peers do not listen, so pings would end them. */
const SILENT = { pingIntervalMs: 3_600_000 };

const network = new FakeNetwork();
const hostile: { close(): void }[] = [];
let node: FakeNode;
let honest: FakeNode;

beforeEach(async () => {
  node = await network.start({ limits: { ...SILENT, messageBytes: 200_000 } });
  honest = await network.start({ staticPeers: [node.enode] });
  await eventually(() => node.peerIds.length === 1);
});
afterEach(async () => {
  for (const one of hostile.splice(0)) one.close();
  await network.stop();
});

async function attack(options = {}): Promise<HostilePeer> {
  const peer = await HostilePeer.connect(node, options);
  hostile.push(peer);
  return peer;
}

/** The honest peer is still there, and what it sends arrives. */
async function expectUnharmed(): Promise<void> {
  const transaction = makeTransaction();
  honest.pool.accept(transaction);
  await eventually(() => node.pool.has(transaction.hash), 'a transaction of the honest peer');
  expect(node.peerIds).toContain(honest.nodeId);
}

const hello = encodePush([
  { kind: 'consensus', payload: RLP.encode([new Uint8Array(0), Uint8Array.of(0xc0)]) },
]);

describe('a frame', () => {
  it('is taken once and refused when it is replayed', async () => {
    const peer = await attack();
    const frame = peer.seal('push', hello);
    expect(await peer.post('push', frame)).toBe(STATUS.done);
    for (let times = 0; times < 5; times++) expect(await peer.post('push', frame)).toBe(STATUS.malformed);
    expect(node.consensus.heard).toHaveLength(1);
    expect(node.log.complaints('replayed')).toBe(1);
    await expectUnharmed();
  });

  it('is refused when it is older than the replay window, however it is presented', async () => {
    const peer = await attack();
    const old = peer.seal('push', hello);
    for (let count = 0; count < 1_024; count++) peer.seal('push', hello);
    expect(await peer.push([])).toBe(STATUS.done);
    expect(await peer.post('push', old)).toBe(STATUS.malformed);
    // Its counter is authenticated too, so it cannot be made to look new.
    const renumbered = Uint8Array.from(old);
    renumbered[7] = 0xff;
    renumbered[6] = 0xff;
    expect(await peer.post('push', renumbered)).toBe(STATUS.malformed);
    expect(node.consensus.heard).toEqual([]);
  });

  it.each([
    ['truncated', (frame: Uint8Array) => frame.subarray(0, frame.length - 1)],
    ['shorter than any frame', (frame: Uint8Array) => frame.subarray(0, 10)],
    ['empty', () => new Uint8Array(0)],
    ['longer', (frame: Uint8Array) => Buffer.concat([frame, Uint8Array.of(0)])],
    ['changed by a bit', (frame: Uint8Array) => frame.map((byte, index) => (index === 12 ? byte ^ 1 : byte))],
  ])('is refused when it is %s, and the peer is not blamed for it', async (_, change) => {
    const peer = await attack();
    expect(await peer.post('push', peer.seal('push', hello))).toBe(STATUS.done);
    for (let times = 0; times < 8; times++) {
      expect(await peer.post('push', change(peer.seal('push', hello)))).toBe(STATUS.malformed);
    }
    expect(await peer.post('push', peer.seal('push', hello))).toBe(STATUS.done);
    expect(node.network.peers().every(({ penaltyPoints }) => penaltyPoints === 0)).toBe(true);
  });

  it('is refused on another path and under another session', async () => {
    const [one, two] = [await attack(), await attack()];
    expect(await one.post('request', one.seal('push', hello))).toBe(STATUS.malformed);
    expect(await two.post('push', one.seal('push', hello))).toBe(STATUS.malformed);
    expect(await one.post('push', one.seal('push', hello), '00'.repeat(16))).toBe(STATUS.unknownSession);
    expect(await one.post('push', one.seal('push', hello), 'no session')).toBe(STATUS.unknownSession);
    await expectUnharmed();
  });
});

describe('an authenticated peer that sends', () => {
  const deep = Buffer.concat(
    Array.from({ length: 30_000 }, (_, left) => {
      const length = (30_000 - left - 1) * 4;
      return Uint8Array.of(0xfa, length >> 16, (length >> 8) & 0xff, length & 0xff);
    }),
  );

  it.each([
    ['noise', () => randomBytes(500)],
    ['a list of values that are not messages', () => RLP.encode(['a', 'b'])],
    ['a message of no fields', () => RLP.encode([[]])],
    ['an invalid head', () => encodePush([{ kind: 'head', payload: randomBytes(40) }])],
    ['an invalid consensus envelope', () => encodePush([{ kind: 'consensus', payload: randomBytes(40) }])],
    ['thousands of lists in lists', () => encodePush([{ kind: 'consensus', payload: deep }])],
    ['an invalid hash', () => encodePush([{ kind: 'hash', payload: randomBytes(31) }])],
    ['an invalid flag', () => encodePush([{ kind: 'unrecorded', payload: Uint8Array.of(2) }])],
    ['an invalid notice', () => encodePush([{ kind: 'notice', payload: randomBytes(63) }])],
  ])('%s is cut off after a while, which is logged once', async (_, make) => {
    const peer = await attack();
    for (
      let times = 0;
      times < 6 && node.log.complaints('peer disconnected for misbehaviour') === 0;
      times++
    ) {
      await peer.post('push', peer.seal('push', make()));
      await pause(20);
    }
    await eventually(() => node.log.complaints('peer disconnected for misbehaviour') === 1);
    expect(node.peerIds).not.toContain(peer.local.nodeId);
    expect(await peer.push([])).toBe(STATUS.unknownSession);
    await expect(attack({ key: peer.local.key })).rejects.toMatchObject({
      rejection: 'banned',
    });
    expect(node.log.complaints('peer disconnected for misbehaviour')).toBe(1);
    await expectUnharmed();
  });

  it('invalid blocks is cut off', async () => {
    const peer = await attack();
    await peer.push([{ kind: 'block', payload: RLP.encode([randomBytes(3)]) }]);
    await eventually(() => node.log.complaints('peer disconnected for misbehaviour') === 1);
    await expectUnharmed();
  });

  it('transactions and consensus messages that are found invalid is cut off', async () => {
    node.pool.check = ({ raw }) => (raw.length < 80 ? 'invalid' : 'accepted');
    const peer = await attack();
    for (let times = 0; times < 5; times++) {
      await peer.push([{ kind: 'transaction', payload: makeTransaction(60 + times).raw }]);
    }
    await eventually(() => node.log.complaints('invalid transaction') === 1);
    node.consensus.check = () => 'invalid';
    const other = await attack();
    for (let times = 0; times < 5; times++) {
      await other.push([
        { kind: 'consensus', payload: RLP.encode([new Uint8Array(0), Uint8Array.of(times)]) },
      ]);
    }
    await eventually(() => node.log.complaints('invalid consensus message') === 1);
    await expectUnharmed();
  });

  it('more notices than its share reaches nothing with the rest, and keeps its connection', async () => {
    const receiver = await network.start({ limits: { ...SILENT, noticesPerSecond: 1 } });
    const peer = await HostilePeer.connect(receiver);
    hostile.push(peer);
    const hashes = Array.from({ length: 100 }, () => randomBytes(64));
    await peer.push(hashes.map((payload) => ({ kind: 'notice', payload })));
    await eventually(() => receiver.notices.length >= 10);
    await peer.push([]);
    expect(receiver.notices.length).toBeLessThan(100);
    expect(receiver.notices[0]).toEqual({ hash: Buffer.from(hashes[0] as Buffer), from: peer.local.nodeId });
    expect(receiver.network.peers().every(({ penaltyPoints }) => penaltyPoints === 0)).toBe(true);
  });

  it('messages of an unknown kind keeps its connection', async () => {
    const peer = await attack();
    const later = RLP.encode([[Uint8Array.of(99), randomBytes(4)]]);
    expect(await peer.post('push', peer.seal('push', later))).toBe(STATUS.done);
    expect(node.network.peers().every(({ penaltyPoints }) => penaltyPoints === 0)).toBe(true);
  });

  it('more than its share is answered "busy" and cut off in the end', async () => {
    const slow = await network.start({ limits: { ...SILENT, messagesPerSecond: 20 } });
    const peer = await HostilePeer.connect(slow);
    hostile.push(peer);
    const statuses = new Set<number>();
    for (let times = 0; times < 2_000 && slow.log.complaints('too much') === 0; times++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => peer.push([]).catch(() => STATUS.unknownSession)),
      );
      for (const status of answers) statuses.add(status);
    }
    expect(statuses).toContain(STATUS.busy);
    expect(slow.log.complaints('too much')).toBe(1);
    expect(slow.peerIds).toEqual([]);
  });
});

describe('the peer port', () => {
  it('refuses a body that is larger than allowed, before a byte of it is read', async () => {
    const peer = await attack();
    const outcome = await peer.post('push', randomBytes(2_000_000)).catch(() => STATUS.tooLarge);
    expect(outcome).toBe(STATUS.tooLarge);
    const client = new PeerClient(peer.target, { connections: 1, connectTimeoutMs: 1_000 });
    hostile.push(client);
    expect((await postRaw(client, '/p2p/v1/hello', { body: randomBytes(50_000) })).status).toBe(
      STATUS.tooLarge,
    );
    await expectUnharmed();
  });

  it('refuses unknown paths and methods, and bodies without a length', async () => {
    const at = `http://127.0.0.1:${node.port}`;
    expect((await fetch(`${at}/p2p/v2/hello`, { method: 'POST', body: 'x' })).status).toBe(STATUS.notFound);
    expect((await fetch(`${at}/p2p/v1/hello`)).status).toBe(STATUS.notFound);
    const body = new ReadableStream({
      start: (controller) => (controller.enqueue(randomBytes(9)), controller.close()),
    });
    const chunked = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect((await fetch(`${at}/p2p/v1/hello`, chunked)).status).toBe(STATUS.lengthRequired);
  });

  it.each(['hello', 'prove'])('refuses any bytes as %s without harm', async (step) => {
    const client = new PeerClient(
      { host: '127.0.0.1', port: node.port },
      { connections: 1, connectTimeoutMs: 1_000 },
    );
    hostile.push(client);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), async (body) => {
        const { status } = await postRaw(client, `/p2p/v1/${step}`, { body });
        expect([STATUS.refused, STATUS.busy]).toContain(status);
      }),
      { numRuns: 60 },
    );
    await expectUnharmed();
  });

  it('cuts connections whose bytes trickle, one report for all of them', async () => {
    const hasty = await network.start({ limits: { ...SILENT, bodyGraceMs: 400 } });
    const peer = await HostilePeer.connect(hasty);
    hostile.push(peer);
    const sockets = Array.from({ length: 4 }, () => trickle(peer.sessionId, hasty.port));
    await Promise.all(sockets.map((closed) => closed));
    await eventually(() => hasty.log.complaints('was cut') === 1);
    expect(await peer.push([])).toBe(STATUS.done);
  });

  it('limits the share of one peer', async () => {
    const limits = { ...SILENT, messageBytes: 100_000, bodyGraceMs: 60_000, concurrentPerPeer: 3 };
    const small = await network.start({ limits });
    const peer = await HostilePeer.connect(small);
    hostile.push(peer);
    const held = Array.from({ length: 3 }, () => hold(peer.sessionId, small.port));
    hostile.push(...held);
    while ((await peer.push([])) !== STATUS.busy) await pause(20);
    const other = await HostilePeer.connect(small);
    hostile.push(other);
    expect(await other.push([])).toBe(STATUS.done);
  });
});

const head = (session: string, length: number) =>
  `POST /p2p/v1/push HTTP/1.1\r\nhost: x\r\ntetrad-session: ${session}\r\ncontent-length: ${length}\r\n\r\n`;

/**
 * Announces a body and sends a byte of it now and then.
 * @returns resolves when the connection was cut
 */
function trickle(session: string, port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head(session, 5_000));
  const drip = setInterval(() => socket.write('x'), 20);
  return new Promise((done) =>
    socket.on('close', () => {
      clearInterval(drip);
      done();
    }),
  );
}

/** Announces a body and sends nothing of it. */
function hold(session: string, port: number): { close(): void } {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head(session, 5_000));
  return { close: () => socket.destroy() };
}
