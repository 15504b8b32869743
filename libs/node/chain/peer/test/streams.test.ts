import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import { FaultyProxy } from '@tetrad/testkit';
import { silentMetrics, type Metrics } from '@tetrad/types';
import { STATUS } from '../src/transport/protocol.js';
import { encodePush } from '../src/wire/push-message.js';
import { eventually } from './eventually.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';
import { makeTransaction } from './fake-pool.js';
import { HostilePeer } from './hostile-peer.js';
import { HostileStream, type StreamRequest } from './hostile-stream.js';

const network = new FakeNetwork();
const closers: (() => unknown)[] = [];
afterEach(async () => {
  await network.stop();
  for (const close of closers.splice(0)) await close();
});

/** A node, and how many streams its peers opened. */
async function counted(limits = {}) {
  let streams = 0;
  let scrape: () => unknown = () => undefined;
  const onScrape: Metrics['onScrape'] = (read) => (scrape = read);
  const gauge: Metrics['gauge'] = (name, ...rest) =>
    name === 'node_peer_streams' ? { set: (value) => (streams = value) } : silentMetrics.gauge(name, ...rest);
  const node = await network.start({ metrics: { ...silentMetrics, gauge, onScrape }, limits });
  return { node, streams: () => (scrape(), streams) };
}

const connected = async (from: FakeNode, to: FakeNode, port = to.port) => {
  from.network.addPeer({ nodeId: to.nodeId, host: '127.0.0.1', port });
  await eventually(() => from.peerIds.length === 1 && to.peerIds.length === 1, 'a connection');
};

/** A transaction of one node reaches the other. */
async function expectPassing(from: FakeNode, to: FakeNode, bytes?: number): Promise<void> {
  const transaction = makeTransaction(bytes);
  from.pool.accept(transaction);
  await eventually(() => to.pool.has(transaction.hash), 'a transaction');
}

describe('two nodes', () => {
  it('open a stream each, and post what is too large for one', async () => {
    const [one, two] = [await counted(), await counted()];
    await connected(one.node, two.node);
    await eventually(() => one.streams() === 1 && two.streams() === 1, 'streams');
    await expectPassing(one.node, two.node);
    await expectPassing(two.node, one.node, 200_000);
    const block = one.node.produce();
    await eventually(() => two.node.chain.head().hash === block.hash);
    expect([one.streams(), two.streams()]).toEqual([1, 1]);
  });

  it('go on when streams break, and open others', async () => {
    // One may be asked for while the proxy still breaks connections.
    const [one, two] = [await counted({ streamRetryMs: 100 }), await counted()];
    const proxy = await FaultyProxy.open({ port: () => two.node.port });
    closers.push(() => proxy.close());
    await connected(one.node, two.node, proxy.port);
    await eventually(() => two.streams() === 1, 'a stream');
    for (let times = 0; times < 3; times += 1) {
      // No other one opens before this one is seen to have ended.
      proxy.set({ kind: 'cut' });
      await eventually(() => two.streams() === 0, 'the end of the stream');
      proxy.heal();
      await expectPassing(one.node, two.node);
      await eventually(() => two.streams() === 1, 'another stream');
    }
    expect(one.node.peerIds).toEqual([two.node.nodeId]);
  });

  it('post everything through a proxy that passes no upgrades, as to a node that has no streams', async () => {
    const [one, two] = [await counted(), await counted()];
    const front = createServer((request, response) => {
      if (request.method === 'GET') return void response.writeHead(STATUS.notFound).end();
      const { url, method, headers } = request;
      const onward = ask({ port: two.node.port, path: url, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
    closers.push(() => (front.closeAllConnections(), front.close()));
    await connected(one.node, two.node, (front.address() as AddressInfo).port);
    await expectPassing(one.node, two.node);
    await expectPassing(two.node, one.node);
    expect(two.streams()).toBe(0);
    expect(two.node.network.peers().every(({ penaltyPoints }) => penaltyPoints === 0)).toBe(true);
  });
});

describe('a request for a stream', () => {
  let node: FakeNode;
  let peer: HostilePeer;
  beforeEach(async () => {
    [node, peer] = await attacked();
  });

  const attacked = async (limits = {}): Promise<[FakeNode, HostilePeer]> => {
    const target = await network.start({ limits: { pingIntervalMs: 3_600_000, ...limits } });
    const attacker = await HostilePeer.connect(target);
    closers.push(() => attacker.close());
    return [target, attacker];
  };

  const open = async (request: StreamRequest = {}) => {
    const stream = await HostileStream.open(peer, request);
    closers.push(() => stream.close());
    return stream;
  };
  const message = (payload = 0) =>
    encodePush([
      { kind: 'consensus', payload: RLP.encode([new Uint8Array(0), Uint8Array.of(0xc1, payload)]) },
    ]);

  it.each<[string, StreamRequest, number]>([
    ['an unknown session', { session: '00'.repeat(16) }, STATUS.unknownSession],
    ['what is no session', { session: 'x' }, STATUS.notFound],
    ['another path', { path: '/p2p/v1/push' }, STATUS.notFound],
    ['another protocol', { protocol: 'websocket' }, STATUS.notFound],
    ['no proof of the session', { opening: '' }, STATUS.malformed],
    ['a proof that is too long', { opening: '00'.repeat(1_000) }, STATUS.malformed],
    ['a forged proof', { opening: '00'.repeat(24) }, STATUS.malformed],
  ])('is refused with %s', async (_, request, status) => {
    const stream = await open(request);
    expect(stream.status).toBe(status);
    await eventually(() => stream.isClosed, 'the end of the connection');
    expect(node.network.peers().every(({ penaltyPoints }) => penaltyPoints === 0)).toBe(true);
  });

  it('is refused with the proof of another peer, and with one that was used: who listens on the way opens none', async () => {
    const other = await HostilePeer.connect(node);
    closers.push(() => other.close());
    expect((await open({ opening: HostileStream.openingOf(other) })).status).toBe(STATUS.malformed);
    const opening = HostileStream.openingOf(peer);
    const first = await open({ opening });
    expect(first.status).toBe(101);
    expect((await open({ opening })).status).toBe(STATUS.malformed);
    expect(await first.send(1, 'push', peer.seal('push', message()))).toBe(STATUS.done);
  });

  it('ends the stream that the session had', async () => {
    const [first, second] = [await open(), await open()];
    await eventually(() => first.isClosed, 'the end of the first');
    expect(await second.send(1, 'push', peer.seal('push', message()))).toBe(STATUS.done);
  });

  describe('that is granted, and then', () => {
    it('a frame that was forged, or posted before, is refused, and the peer is not blamed', async () => {
      const stream = await open();
      const frame = peer.seal('push', message());
      expect(await peer.post('push', frame)).toBe(STATUS.done);
      expect(await stream.send(1, 'push', frame)).toBe(STATUS.malformed);
      expect(await stream.send(2, 'request', peer.seal('push', message()))).toBe(STATUS.malformed);
      expect(await stream.send(3, 'push', new Uint8Array(0))).toBe(STATUS.malformed);
      expect(await stream.send(4, 'push', peer.seal('push', message(1)))).toBe(STATUS.done);
      expect(node.consensus.heard).toHaveLength(2);
      expect(node.network.peers().every(({ penaltyPoints }) => penaltyPoints === 0)).toBe(true);
    });

    it.each([
      ['a message that is too long', Buffer.from([0, 1, 0, 0x10])],
      ['a message of an unknown kind', Buffer.from([0, 0, 0, 5, 0, 0, 0, 1, 9])],
      ['an empty message', Buffer.alloc(4)],
    ])('%s cuts it, which is logged once', async (_, bytes) => {
      for (let times = 0; times < 3; times += 1) {
        const stream = await open();
        stream.socket.write(bytes);
        await eventually(() => stream.isClosed, 'the cut');
      }
      expect(node.log.complaints('was cut')).toBe(1);
    });

    it.each([
      ['a message', Buffer.concat([Buffer.from([0, 0, 0x80, 0]), Buffer.alloc(0x7000)])],
      ['a length', Buffer.alloc(3)],
    ])('%s of which bytes trickle cuts it, however many keep coming', async (_, bytes) => {
      [node, peer] = await attacked({ bodyGraceMs: 1_000 });
      const stream = await open();
      expect(stream.status).toBe(101);
      let place = 0;
      const drip = setInterval(() => stream.socket.write(bytes.subarray(place, (place += 1))), 20);
      closers.push(() => clearInterval(drip));
      await eventually(() => stream.isClosed, 'the cut');
      expect(node.log.complaints('was cut')).toBe(1);
    });

    it('its sender is cut off, messages are answered no more', async () => {
      const stream = await open();
      const noise = encodePush([{ kind: 'head', payload: new Uint8Array(40) }]);
      const statuses: (number | undefined)[] = [];
      for (let ticket = 1; ticket <= 20 && !stream.isClosed; ticket += 1)
        statuses.push(await stream.send(ticket, 'push', peer.seal('push', noise)));
      await eventually(() => stream.isClosed, 'the end of the stream');
      expect(statuses.slice(-2)).toEqual(expect.arrayContaining([STATUS.unknownSession]));
      expect(node.peerIds).toEqual([]);
    });
  });
});
