import { afterEach, describe, expect, it } from '@jest/globals';
import { encodeBlock } from '@tetrad/node-block';
import { eventually, pause } from './eventually.js';
import { makeBlock } from './fake-chain.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';
import { makeTransaction } from './fake-pool.js';

const network = new FakeNetwork();
afterEach(() => network.stop());

const SHAPES = {
  line: [[1], [2], [3], [4], [5], [6], []],
  ring: [[1], [2], [3], [4], [5], [6], [0]],
  mesh: [[1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6], [3, 4, 5, 6], [4, 5, 6], [5, 6], [6], []],
};
const shapes = Object.entries(SHAPES);

function others(nodes: readonly FakeNode[], index: number): FakeNode[] {
  return nodes.filter((_, other) => other !== index);
}

describe.each(shapes)('transactions in a %s of seven nodes', (_, connections) => {
  it('reach every node exactly once, wherever clients sent them', async () => {
    const nodes = await network.startAll(connections);
    const transactions = Array.from({ length: 40 }, () => makeTransaction());
    transactions.forEach((transaction, index) => nodes[index % 7]?.pool.accept(transaction));
    await eventually(() => nodes.every(({ pool }) => pool.content.size === transactions.length));
    await pause(150);
    for (const { pool } of nodes) expect(new Set(pool.brought).size).toBe(pool.brought.length);
    expect(nodes.reduce((sum, { pool }) => sum + pool.brought.length, 0)).toBe(6 * transactions.length);
  });
});

describe.each(shapes)('blocks in a %s of seven nodes', (_, connections) => {
  it('reach every node exactly once', async () => {
    const nodes = await network.startAll(connections);
    for (let number = 1; number <= 3; number++) {
      nodes[number]?.produce();
      await eventually(() => nodes.every(({ chain }) => chain.head().header.number === number));
    }
    await pause(150);
    nodes.forEach(({ chain }, index) => {
      const own = index >= 1 && index <= 3 ? [index] : [];
      expect(chain.imported).toEqual([1, 2, 3].filter((number) => !own.includes(number)));
    });
    expect(new Set(nodes.map(({ chain }) => chain.head().hash)).size).toBe(1);
  });
});

describe('a transaction', () => {
  it('that a full pool refused is received again later', async () => {
    const nodes = await network.startAll([[1], []], { limits: { rebroadcastMs: 200 } });
    const [one, two] = nodes as [FakeNode, FakeNode];
    let isFull = true;
    two.pool.check = () => (isFull ? 'refused' : 'accepted');
    one.pool.accept(makeTransaction());
    await eventually(() => two.pool.brought.length === 1);
    isFull = false;
    await eventually(() => two.pool.content.size === 1);
  });

  it('that waits is announced to a peer that connects later', async () => {
    const one = await network.start();
    const transactions = Array.from({ length: 600 }, () => makeTransaction());
    for (const transaction of transactions) one.pool.accept(transaction);
    const two = await network.start({ staticPeers: [one.enode] });
    await eventually(() => two.pool.content.size === transactions.length);
    expect(two.pool.brought).toHaveLength(transactions.length);
  });
});

describe('a notice', () => {
  it('reaches the connected peers, and is not passed on', async () => {
    const nodes = await network.startAll([[1, 2], [3], [], []]);
    const hash = Buffer.alloc(64, 7);
    const { nodeId: from, network: own } = nodes[0] as FakeNode;
    own.notify(hash);
    const heard = { hash, from };
    await eventually(() => nodes[1]?.notices.length === 1 && nodes[2]?.notices.length === 1);
    expect(nodes.map(({ notices }) => notices)).toEqual([[], [heard], [heard], []]);
  });
});

describe('validators', () => {
  const makeValidators = (nodes: readonly FakeNode[]) => {
    for (const { consensus } of nodes) consensus.set = nodes.map(({ address }) => address);
  };

  it('announce a transaction of another node at once, and one of a validator later, as that sent it to all', async () => {
    const nodes = await network.startAll([[1, 2], [2], [3], []]);
    makeValidators(nodes.slice(0, 3));
    const [one, , , follower] = nodes as [FakeNode, FakeNode, FakeNode, FakeNode];
    const [theirs, ours] = [makeTransaction(), makeTransaction()];
    one.pool.accept(theirs);
    await eventually(() => nodes.slice(0, 3).every(({ pool }) => pool.content.size === 1));
    follower.pool.accept(ours);
    await eventually(() => nodes.slice(0, 3).every(({ pool }) => pool.content.size === 2));
    await pause(150);
    expect([...follower.pool.content.keys()]).toEqual([ours.hash]);
  });

  it('send a consensus message to each other once, and to no other node', async () => {
    const nodes = await network.startAll([[1, 2, 3, 4], [2, 3, 4], [3, 4], [4], []]);
    makeValidators(nodes.slice(0, 4));
    const message = Uint8Array.of(0xc2, 1, 2);
    nodes[0]?.network.broadcastConsensus(message);
    await eventually(() => nodes.slice(1, 4).every(({ consensus }) => consensus.heard.length === 1));
    await pause(150);
    expect(nodes.map(({ consensus }) => consensus.heard.length)).toEqual([0, 1, 1, 1, 0]);
    expect(nodes[1]?.consensus.heard).toEqual([{ message: 'c20102', from: nodes[0]?.nodeId }]);
  });

  it('relay a message once when its sender cannot reach all of them, and only if they accept it', async () => {
    const nodes = await network.startAll(
      SHAPES.line.slice(0, 4).map((_, index) => (index < 3 ? [index + 1] : [])),
    );
    makeValidators(nodes);
    nodes[0]?.network.broadcastConsensus(Uint8Array.of(0xc1, 1));
    await eventually(() => others(nodes, 0).every(({ consensus }) => consensus.heard.length === 1));
    (nodes[2] as FakeNode).consensus.check = () => 'ignored';
    nodes[0]?.network.broadcastConsensus(Uint8Array.of(0xc1, 2));
    await eventually(() => nodes[2]?.consensus.heard.length === 2);
    await pause(150);
    expect(nodes.map(({ consensus }) => consensus.heard.length)).toEqual([0, 2, 2, 1]);
  });

  it('relay a repeated message again when they accept it again', async () => {
    const nodes = await network.startAll([[1], [2], []]);
    makeValidators(nodes);
    const [one, two, three] = nodes as [FakeNode, FakeNode, FakeNode];
    for (let times = 1; times <= 2; times++) {
      one.network.broadcastConsensus(Uint8Array.of(0xc1, 3));
      await eventually(() => three.consensus.heard.length === times);
    }
    two.consensus.check = () => 'ignored';
    one.network.broadcastConsensus(Uint8Array.of(0xc1, 3));
    await eventually(() => two.consensus.heard.length === 3);
    await pause(150);
    expect(nodes.map(({ consensus }) => consensus.heard.length)).toEqual([0, 3, 2]);
  });

  it('get a message addressed to one of them, by node id or address', async () => {
    const [one, two, three] = (await network.startAll([[1, 2], [2], []])) as [FakeNode, FakeNode, FakeNode];
    expect(one.network.sendConsensus(two.nodeId, Uint8Array.of(0xc0))).toBe(true);
    expect(one.network.sendConsensus(two.address, Uint8Array.of(0xc1, 1))).toBe(true);
    await eventually(() => two.consensus.heard.length === 2);
    expect(three.consensus.heard).toEqual([]);
    expect(one.network.sendConsensus(one.nodeId, Uint8Array.of(0xc0))).toBe(false);
  });

  it('get the announcement of a block and not the block, since they made it too', async () => {
    const nodes = await network.startAll([[1], []]);
    makeValidators(nodes);
    const [one, two] = nodes as [FakeNode, FakeNode];
    const block = makeBlock(one.chain.head());
    let isEncoded = false;
    two.chain.blocks.push(block);
    one.chain.blocks.push(block);
    one.network.announceBlock(block, () => {
      isEncoded = true;
      return encodeBlock(block);
    });
    await eventually(() => one.network.peers()[0]?.head?.number === 1);
    expect(isEncoded).toBe(false);
    expect(two.chain.imported).toEqual([]);
  });
});
