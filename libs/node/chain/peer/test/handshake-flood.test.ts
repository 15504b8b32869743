import { afterEach, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, publicKeyFromPrivateKey, signingKeyOf } from '@tetrad/crypto';
import { systemClock } from '@tetrad/types';
import { connect, type Socket } from 'node:net';
import { formatEnode, nodeIdFromBytes, type NodeId } from '../src/index.js';
import { createLocalNode, type LocalNode } from '../src/session/local-node.js';
import { introduce } from '../src/session/introduce.js';
import { PeerClient } from '../src/transport/peer-client.js';
import { PATHS, STATUS } from '../src/transport/protocol.js';
import { encodeIntroduction } from '../src/wire/introduction.js';
import { eventually } from './eventually.js';
import { CHAIN_ID, GENESIS } from './fake-chain.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';
import { HostilePeer, postRaw } from './hostile-peer.js';

const network = new FakeNetwork();
const open: { close(): void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  await network.stop();
});

function stranger(privateKey = generatePrivateKey()): LocalNode {
  const endpoint = () => ({ host: '127.0.0.1', port: 1 });
  return createLocalNode({
    key: signingKeyOf(privateKey),
    chainId: CHAIN_ID,
    genesisHash: GENESIS.hash,
    name: 'x',
    endpoint,
  });
}

/** Says hello as the node until the answer is "busy". */
async function exhaust(node: FakeNode, name: () => NodeId): Promise<void> {
  const local = stranger();
  const client = new PeerClient(
    { host: '127.0.0.1', port: node.port },
    { connections: 4, connectTimeoutMs: 5_000 },
  );
  open.push(client);
  for (;;) {
    const ephemeral = publicKeyFromPrivateKey(generatePrivateKey());
    const own = introduce(local, { peerId: node.nodeId, ephemeral, nowMs: Date.now() });
    const body = encodeIntroduction({ ...own, nodeId: name() });
    const { status } = await postRaw(client, PATHS.hello, { body });
    if (status === STATUS.busy) return;
    expect(status).toBe(STATUS.done);
  }
}

const anyId = () => nodeIdFromBytes(publicKeyFromPrivateKey(generatePrivateKey()));
/** Few are enough to reach the limits. */
const RARE = {
  handshakesPerSecond: 10,
  handshakesPerSecondPerAddress: 0.5,
  handshakesPerSecondPerKnown: 0.3,
};

describe('a flood of handshakes of strangers', () => {
  it('blocks strangers from its address, and no static node', async () => {
    const privateKey = generatePrivateKey();
    const nodeId = nodeIdFromBytes(publicKeyFromPrivateKey(privateKey));
    const enode = formatEnode({ nodeId, host: '127.0.0.1', port: 9, discport: 0 });
    // On a busy host enough time may pass for one more handshake.
    const startMs = systemClock.now();
    let isStill = true;
    const clock = { ...systemClock, now: () => (isStill ? startMs : systemClock.now()) };
    const node = await network.start({ limits: RARE, staticPeers: [enode], clock });
    await exhaust(node, anyId);
    await expect(HostilePeer.connect(node)).rejects.toMatchObject({ rejection: 'busy' });
    isStill = false;
    await network.start({ privateKey, staticPeers: [node.enode] });
    await eventually(() => node.peerIds.includes(nodeId));
  });

  it('does not block a node that was connected before', async () => {
    const privateKey = generatePrivateKey();
    const node = await network.start({ limits: RARE });
    const first = await network.start({ privateKey, staticPeers: [node.enode] });
    await eventually(() => node.peerIds.length === 1);
    await first.network.stop();
    await eventually(() => node.peerIds.length === 0);
    await exhaust(node, anyId);
    await network.start({ privateKey, staticPeers: [node.enode] });
    await eventually(() => node.peerIds.includes(first.nodeId));
  });

  it('is bounded when it comes in the name of a known node', async () => {
    const privateKey = generatePrivateKey();
    const nodeId = nodeIdFromBytes(publicKeyFromPrivateKey(privateKey));
    const enode = formatEnode({ nodeId, host: '127.0.0.1', port: 9, discport: 0 });
    const node = await network.start({ limits: RARE, staticPeers: [enode] });
    await exhaust(node, () => nodeId);
  });
});

describe('connections to the peer port', () => {
  it('from one address without a known node are bounded, and from that of a known one not so', async () => {
    const node = await network.start({ limits: { connectionsPerAddress: 3 } });
    let closed = 0;
    const dial = () => {
      const socket: Socket = connect(node.port, '127.0.0.1');
      socket.on('error', () => undefined).on('close', () => (closed += 1));
      open.push({ close: () => socket.destroy() });
      return socket;
    };
    const sockets = Array.from({ length: 8 }, dial);
    await eventually(() => closed >= 5);
    for (const socket of sockets) socket.destroy();
    await eventually(() => closed === 8);
    await network.start({ staticPeers: [node.enode] });
    await eventually(() => node.peerIds.length === 1);
    const known = Array.from({ length: 8 }, dial);
    await Promise.all(known.map((socket) => answered(socket)));
    expect(closed).toBe(8);
  });
});

/** Resolves when the server has answered something on the connection. */
function answered(socket: Socket): Promise<void> {
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return new Promise((done, fail) => {
    socket.once('data', () => done());
    socket.once('close', () => fail(new Error('the connection was closed')));
  });
}
