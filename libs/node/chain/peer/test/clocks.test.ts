import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '@tetrad/types';
import { parseEnode } from '../src/index.js';
import { eventually } from './eventually.js';
import { makeChain } from './fake-chain.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';

const network = new FakeNetwork();
afterEach(() => network.stop());

/** The system's clock, which is wrong by so much and can be set. */
class WrongClock implements Clock {
  constructor(public aheadMs: number) {}

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  schedule(delayMs: number, task: () => void): () => void {
    return systemClock.schedule(delayMs, task);
  }
}

/** Three nodes that are connected with a fourth, which has the clock. */
async function threeAnd(clock: Clock): Promise<{ readonly others: FakeNode[]; readonly odd: FakeNode }> {
  const others = await network.startAll([[1, 2], [2], []]);
  const odd = await network.start({ clock, staticPeers: others.map(({ enode }) => enode) });
  await eventually(() => odd.peerIds.length === 3, 'three peers');
  return { others, odd };
}

describe('the clock of a host', () => {
  it.each([
    [-30_000, 'behind'],
    [30_000, 'ahead of'],
  ])('that is %i ms off shows at its node and not at the others, until it is set', async (aheadMs, text) => {
    const clock = new WrongClock(aheadMs);
    const { others, odd } = await threeAnd(clock);
    await eventually(() => odd.network.clockTrouble() !== undefined, 'the trouble');
    expect(odd.network.clockTrouble()).toMatchObject({ isBad: true, reason: expect.stringContaining(text) });
    for (const other of others) expect(other.network.clockTrouble()).toBeUndefined();
    await eventually(() => odd.log.complaints('the clock of this host is') === 1, 'a line of the log');
    clock.aheadMs = 0;
    await eventually(() => odd.network.clockTrouble() === undefined, 'agreement');
    await eventually(
      () => odd.log.lines.some(({ message }) => message.includes('agrees with its peers again')),
      'a line of the log',
    );
  });

  it('is a warning before blocks suffer from it', async () => {
    const { odd } = await threeAnd(new WrongClock(-5_000));
    await eventually(() => odd.network.clockTrouble() !== undefined, 'the trouble');
    expect(odd.network.clockTrouble()).toMatchObject({ isBad: false });
  });

  it('shows when it is so far off that no peer talks to the node', async () => {
    const clock = new WrongClock(900_000);
    const others = await network.startAll([[1, 2], [2], []]);
    const odd = await network.start({ clock, staticPeers: others.map(({ enode }) => enode) });
    await eventually(() => odd.network.clockTrouble() !== undefined, 'the trouble');
    expect(odd.network.clockTrouble()).toMatchObject({
      isBad: true,
      reason: expect.stringContaining('ten minutes'),
    });
    clock.aheadMs = 0;
    await eventually(() => odd.network.clockTrouble() === undefined, 'agreement');
  });

  it('of one peer that lies makes no honest node doubt its own', async () => {
    const { others } = await threeAnd(new WrongClock(500_000));
    await eventually(() => others.every(({ peerIds }) => peerIds.length === 3), 'all peers');
    for (const other of others) expect(other.network.clockTrouble()).toBeUndefined();
  });
});

describe('a block that is ahead of the clock', () => {
  it('is held for its time, and not held against the peers that have it', async () => {
    const chain = makeChain(5);
    const [ahead] = (await network.startAll([[]], { blocks: [...chain] })) as [FakeNode];
    const behind = await network.start();
    let limit = 3;
    behind.chain.earlyMs = ({ header }) => (header.number > limit ? 30_000 : 0);
    behind.network.addPeer(parseEnode(ahead.enode));
    await eventually(() => behind.chain.head().header.number === 3, 'blocks whose time has come');
    const pushed = ahead.produce();
    await eventually(() => behind.network.peers()[0]?.head?.number === pushed.header.number, 'the new head');
    expect(behind.chain.head().header.number).toBe(3);
    expect(behind.network.peers()[0]?.penaltyPoints).toBe(0);
    limit = 6;
    await eventually(() => behind.chain.head().hash === pushed.hash, 'all blocks');
    expect(behind.network.peers()[0]?.penaltyPoints).toBe(0);
  });
});
