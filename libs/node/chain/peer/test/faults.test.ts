import { afterEach, describe, expect, it } from '@jest/globals';
import { FaultyNetwork, FaultyProxy } from '@tetrad/testkit';
import { generatePrivateKey } from '@tetrad/crypto';
import { RLP } from '@ethereumjs/rlp';
import { parseEnode, type PeerLimits } from '../src/index.js';
import { eventually, pause } from './eventually.js';
import { makeChain } from './fake-chain.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';
import { makeTransaction } from './fake-pool.js';
import { HostilePeer } from './hostile-peer.js';

const network = new FakeNetwork();
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await network.stop();
  for (const close of closers.splice(0)) await close();
});

/** Nodes that reach each other over connections that the test can break. */
async function overLinks(count: number, limits: Partial<PeerLimits> = {}) {
  const nodes: FakeNode[] = [];
  for (let index = 0; index < count; index++) nodes.push(await network.start({ limits }));
  const connections = await FaultyNetwork.open(nodes.map((node) => () => node.port));
  closers.push(() => connections.close());
  nodes.forEach((node, from) =>
    nodes.forEach((other, to) => {
      if (from !== to)
        node.network.addPeer({ nodeId: other.nodeId, host: '127.0.0.1', port: connections.portOf(from, to) });
    }),
  );
  await eventually(() => nodes.every(({ peerIds }) => peerIds.length === count - 1), 'a mesh');
  return { nodes, connections };
}

const counts = (nodes: readonly FakeNode[]) => nodes.map(({ peerIds }) => peerIds.length);

describe('disconnected nodes', () => {
  it.each([
    ['by broken connections', { kind: 'cut' }],
    ['by silence', { kind: 'stall' }],
  ] as const)('%s go on in their groups, and bring each other up to date afterwards', async (_, fault) => {
    const { nodes, connections } = await overLinks(4, {
      pingTimeoutMs: 200,
      answerTimeoutMs: 500,
      connectTimeoutMs: 500,
    });
    connections.partition(
      [
        [0, 1],
        [2, 3],
      ],
      fault,
    );
    await eventually(() => counts(nodes).every((count) => count === 1), 'two groups');
    const sent = makeTransaction();
    nodes[0]?.pool.accept(sent);
    const block = nodes[2]?.produce();
    await eventually(() => nodes[1]?.pool.has(sent.hash) === true);
    await eventually(() => nodes[3]?.chain.head().hash === block?.hash);
    expect(nodes[2]?.pool.has(sent.hash)).toBe(false);
    expect(nodes[1]?.chain.head().header.number).toBe(0);
    connections.heal();
    await eventually(() => counts(nodes).every((count) => count === 3), 'one group');
    await eventually(() => nodes.every(({ pool }) => pool.has(sent.hash)), 'the transaction everywhere');
    await eventually(
      () => nodes.every(({ chain }) => chain.head().hash === block?.hash),
      'the block everywhere',
    );
  });

  it('keep their newest consensus messages until they reconnect', async () => {
    const { nodes, connections } = await overLinks(2);
    const [one, two] = nodes as [FakeNode, FakeNode];
    for (const { consensus } of nodes) consensus.set = nodes.map(({ address }) => address);
    connections.partition([[0], [1]]);
    await eventually(() => counts(nodes).every((count) => count === 0));
    one.network.broadcastConsensus(Uint8Array.of(0xc1, 7));
    connections.heal();
    await eventually(() => two.consensus.heard.length === 1);
  });

  it('keep their sessions over connections that are slow', async () => {
    const { nodes, connections } = await overLinks(3);
    for (let from = 0; from < 3; from++) {
      for (let to = 0; to < 3; to++)
        if (from !== to) connections.link(from, to).set({ kind: 'delay', ms: 40 });
    }
    const sent = makeTransaction();
    nodes[0]?.pool.accept(sent);
    const block = nodes[1]?.produce();
    await eventually(() => nodes.every(({ pool }) => pool.has(sent.hash)));
    await eventually(() => nodes.every(({ chain }) => chain.head().hash === block?.hash));
    expect(counts(nodes)).toEqual([2, 2, 2]);
  });
});

describe('a peer that does not read', () => {
  const limits = {
    outboxMessages: 200,
    outboxBytes: 100_000,
    pingTimeoutMs: 60_000,
    answerTimeoutMs: 60_000,
  };

  it('costs bounded memory, and no other peer waits for it', async () => {
    const { nodes, connections } = await overLinks(3, limits);
    const [one, two, three] = nodes as [FakeNode, FakeNode, FakeNode];
    connections.link(0, 1).set({ kind: 'stall' });
    connections.link(2, 1).set({ kind: 'stall' });
    let most = 0;
    const transactions = Array.from({ length: 1_000 }, () => makeTransaction());
    for (const [index, transaction] of transactions.entries()) {
      one.pool.accept(transaction);
      most = Math.max(most, ...one.network.peers().map(({ waitingMessages }) => waitingMessages));
      if (index % 50 === 49) await eventually(() => three.pool.content.size > index);
    }
    expect(most).toBeLessThanOrEqual(200);
    expect(most).toBeGreaterThan(150);
    expect(two.pool.content.size).toBeLessThan(1_000);
  });

  it('does not delay the stop of the node', async () => {
    const { nodes, connections } = await overLinks(2, limits);
    connections.partition([[0], [1]], { kind: 'stall' });
    nodes[0]?.pool.accept(makeTransaction());
    // The connection stalls for as long as the test runs, so this ends only if it is not waited for.
    await nodes[0]?.network.stop();
    expect(nodes[0]?.peerIds).toEqual([]);
  });
});

describe('a node whose consensus engine is busy', () => {
  it('makes peers wait instead of piling up their messages', async () => {
    const node = await network.start({
      limits: { pingIntervalMs: 3_600_000, inboxMessages: 50, inboxBytes: 100_000 },
    });
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => (release = done));
    const { consensus } = node;
    consensus.wait = held;
    const peer = await HostilePeer.connect(node);
    closers.push(async () => peer.close());
    const push = (index: number) =>
      peer.push([{ kind: 'consensus', payload: RLP.encode([new Uint8Array(0), RLP.encode([`m${index}`])]) }]);
    const statuses: number[] = [];
    for (let index = 0; index < 80; index++) statuses.push(await push(index));
    expect(statuses.filter((status) => status === 200)).toHaveLength(51);
    expect(statuses.filter((status) => status === 429)).toHaveLength(29);
    release();
    await eventually(() => consensus.heard.length === 51);
    expect(await push(80)).toBe(200);
  });
});

describe('catching up', () => {
  it('switches to another peer when the answers of one trickle', async () => {
    const chain = makeChain(150);
    const slow = await network.start({ blocks: [...chain] });
    const proxy = await FaultyProxy.open({ port: () => slow.port });
    closers.push(() => proxy.close());
    const limits = { answerTimeoutMs: 400, leastBytesPerSecond: 40_000_000, pingTimeoutMs: 10_000 };
    const behind = await network.start({ limits });
    behind.network.addPeer({ nodeId: slow.nodeId, host: '127.0.0.1', port: proxy.port });
    await eventually(() => behind.peerIds.length === 1);
    behind.chain.blocks.splice(1);
    proxy.set({ kind: 'trickle', bytesPerSecond: 2_000 });
    const quick = await network.start({ blocks: makeChain(400) });
    behind.network.addPeer(parseEnode(quick.enode));
    await eventually(() => behind.chain.head().header.number === 400);
    expect(behind.chain.imported.at(-1)).toBe(400);
  });
});

describe('a node that is killed and comes back at its port', () => {
  it('is connected again by nodes that know it', async () => {
    const privateKey = generatePrivateKey();
    const one = await network.start({ privateKey });
    const two = await network.start({ staticPeers: [one.enode] });
    await eventually(() => two.peerIds.length === 1);
    const { port } = one;
    await one.network.stop();
    await eventually(() => two.peerIds.length === 0);
    await pause(200);
    const again = await network.start({ privateKey, port });
    await eventually(() => two.peerIds.length === 1 && again.peerIds.length === 1);
    const transaction = makeTransaction();
    again.pool.accept(transaction);
    await eventually(() => two.pool.has(transaction.hash));
    expect([...two.duplicates, ...again.duplicates]).toEqual([]);
  });
});
