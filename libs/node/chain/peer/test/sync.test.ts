import { afterEach, describe, expect, it } from '@jest/globals';
import { encodeBlock } from '@tetrad/node-block';
import type { Block } from '@tetrad/types';
import { parseEnode, type PeerLimits } from '../src/index.js';
import { eventually, pause } from './eventually.js';
import { makeBlock, makeChain } from './fake-chain.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';

const network = new FakeNetwork();
afterEach(() => network.stop());

const reached = (node: FakeNode, chain: readonly Block[]) =>
  eventually(() => node.chain.head().hash === chain.at(-1)?.hash, 'the head');

/** What else is not as usual with the node that is behind. */
interface Spoilt {
  readonly spoilSelf?: (node: FakeNode) => void;
  readonly limits?: Partial<PeerLimits>;
}

/** A peer whose head is beyond what it can show. */
function lieAboutHead(node: FakeNode, beyond: number): void {
  const { blocks } = node.chain;
  const truth = blocks.at(-1) as Block;
  const claim = { ...truth, header: { ...truth.header, number: truth.header.number + beyond } };
  node.chain.head = () => claim;
}

describe('a node that is behind', () => {
  it('catches up with several hundred blocks, and continues with new ones', async () => {
    const chain = makeChain(700);
    const ahead = await network.start({ blocks: [...chain] });
    const behind = await network.start({ staticPeers: [ahead.enode] });
    await reached(behind, chain);
    expect(behind.chain.imported).toEqual(chain.slice(1).map(({ header }) => header.number));
    const next = ahead.produce();
    await reached(behind, [next]);
  });

  it('downloads only a little ahead of what it imports', async () => {
    const chain = makeChain(160);
    const ahead = await network.start({ blocks: [...chain] });
    const limits = { syncBlocks: 10, syncLookAhead: 2 };
    const behind = await network.start({ limits });
    behind.chain.importMs = 2;
    behind.chain.mayImport = eventually(() => behind.chain.maxWaiting > 10, 'a range ahead');
    behind.network.addPeer(parse(ahead));
    await reached(behind, chain);
    // Two ranges ahead, one being imported, one that was just taken.
    expect(behind.chain.maxWaiting).toBeLessThanOrEqual(40);
  });

  it('does not ask for the next block while it is storing that one itself', async () => {
    const chain = makeChain(3);
    const ahead = await network.start({ blocks: [...chain] });
    const behind = await network.start({ blocks: chain.slice(0, 3), staticPeers: [ahead.enode] });
    behind.chain.storing = true;
    await eventually(() => behind.network.peers()[0]?.head?.number === 3);
    await pause(300);
    expect(behind.chain.imported).toEqual([]);
    behind.chain.storing = false;
    await reached(behind, chain);
  });

  it('reports its progress, and nothing once it is in sync', async () => {
    const chain = makeChain(100);
    const ahead = await network.start({ blocks: [...chain] });
    const behind = await network.start();
    behind.chain.importMs = 2;
    behind.network.addPeer(parse(ahead));
    await eventually(() => (behind.network.syncProgress()?.currentBlock ?? 0) > 5);
    expect(behind.network.syncProgress()).toMatchObject({ startingBlock: 0, highestBlock: 100 });
    await reached(behind, chain);
    await eventually(() => behind.network.syncProgress() === undefined);
  });

  it('waits and continues when its own database fails, and blames no peer', async () => {
    const chain = makeChain(50);
    const ahead = await network.start({ blocks: [...chain] });
    const behind = await network.start();
    behind.chain.trouble = new Error('the database is unavailable');
    behind.network.addPeer(parse(ahead));
    await eventually(() => behind.log.complaints('blocks of peers cannot be imported') > 0);
    behind.chain.trouble = undefined;
    await reached(behind, chain);
    expect(behind.network.peers()[0]?.penaltyPoints).toBe(0);
  });
});

describe('a node among good and bad peers catches up with the good one when the other', () => {
  const chain = makeChain(120);

  async function withBadPeer(
    spoil: (bad: FakeNode) => void,
    { spoilSelf = () => {}, limits = {} }: Spoilt = {},
  ) {
    const bad = await network.start({ blocks: [...chain] });
    spoil(bad);
    let isAsked = false;
    const read = bad.chain.readRange.bind(bad.chain);
    bad.chain.readRange = (...range) => {
      isAsked = true;
      return read(...range);
    };
    const good = await network.start({ blocks: [...chain] });
    const behind = await network.start({ limits });
    spoilSelf(behind);
    behind.network.addPeer(parse(bad));
    // The good one comes when the bad one was believed.
    await eventually(() => isAsked);
    behind.network.addPeer(parse(good));
    await reached(behind, chain);
    return { bad, good, behind };
  }

  it('claims a head that it does not have', async () => {
    const { behind } = await withBadPeer((bad) => {
      lieAboutHead(bad, 1_000);
      bad.chain.answerRange = async () => [];
    });
    expect(behind.log.lines.some(({ values }) => values.offence === 'false head')).toBe(true);
  });

  it('announces another block than the one it has', async () => {
    const { behind } = await withBadPeer((bad) => {
      const truth = bad.chain.head();
      bad.chain.head = () => ({ ...truth, hash: makeBlock(truth).hash });
    });
    expect(behind.log.lines.some(({ values }) => values.offence === 'false head')).toBe(true);
  });

  it('sends blocks whose headers are invalid', async () => {
    const forged = makeChain(120, 1_000);
    const { behind, bad } = await withBadPeer((one) => one.chain.blocks.splice(0, 121, ...forged));
    expect(behind.log.complaints('peer disconnected for misbehaviour')).toBe(1);
    expect(behind.peerIds).not.toContain(bad.nodeId);
    expect(behind.chain.imported).toHaveLength(120);
  });

  it('sends blocks that turn out invalid when they are executed', async () => {
    const forged = makeChain(120, 5);
    const { behind } = await withBadPeer((one) => one.chain.blocks.splice(0, 121, ...forged), {
      spoilSelf: (self) => {
        self.chain.importInvalid = (block) => block.header.gasUsed === 5n;
      },
    });
    expect(behind.log.complaints('invalid merkle root')).toBe(1);
  });

  it.each([
    ['noise', async () => [Uint8Array.of(0xc1, 0x80)]],
    [
      'blocks that do not follow each other',
      async () => [chain[1], chain[3]].map((one) => encodeBlock(one as Block)),
    ],
    ['blocks of another place', async () => chain.slice(5, 9).map(encodeBlock)],
    [
      'more blocks than were asked for',
      async () => Array.from({ length: 70 }, (_, n) => encodeBlock(chain[n + 1] as Block)),
    ],
  ])('sends %s', async (_, answerRange) => {
    const { behind } = await withBadPeer((bad) => {
      bad.chain.answerRange = answerRange;
    });
    expect(behind.log.lines.some(({ message }) => message === 'peer misbehaved')).toBe(true);
  });

  it('never answers requests for blocks', async () => {
    const limits = { answerTimeoutMs: 400, leastBytesPerSecond: 4_000_000 };
    const { behind } = await withBadPeer(
      (bad) => {
        bad.chain.answerRange = () => new Promise(() => undefined);
      },
      { limits },
    );
    expect(behind.log.lines.some(({ values }) => values.offence === 'late answer')).toBe(true);
  });

  it('sends one block at a time', async () => {
    const { good } = await withBadPeer(
      (bad) => {
        bad.chain.answerRange = async (from) => {
          await pause(100);
          return [encodeBlock(chain[from] as Block)];
        };
      },
      { limits: { answerTimeoutMs: 1_500 } },
    );
    expect(good.chain.ranges).toBeGreaterThan(0);
  });

  it('is stopped in the middle', async () => {
    let isAsked = false;
    const bad = await network.start({ blocks: [...chain] });
    const read = bad.chain.readRange.bind(bad.chain);
    bad.chain.readRange = async (from, limit, budget) => {
      isAsked = from > 1;
      return read(from, Math.min(limit, 10), budget);
    };
    const behind = await network.start();
    behind.chain.importMs = 3;
    behind.network.addPeer(parse(bad));
    await eventually(() => isAsked);
    await bad.network.stop();
    const good = await network.start({ blocks: [...chain] });
    behind.network.addPeer(parse(good));
    await reached(behind, chain);
    expect(behind.chain.imported).toHaveLength(120);
  });
});

describe('a node among peers that claim far heads and never answer', () => {
  it('gets the blocks from a validator that claims less', async () => {
    const chain = makeChain(120);
    // Those that failed before are free again each time another one has failed.
    const limits = { answerTimeoutMs: 600, leastBytesPerSecond: 40_000_000, syncPenaltyMs: 100 };
    const behind = await network.start({ limits });
    const liars = [await network.start(), await network.start(), await network.start()];
    for (const [index, liar] of liars.entries()) {
      liar.chain.blocks.splice(0, 1, ...chain);
      lieAboutHead(liar, 1_000 * (index + 1));
      liar.chain.answerRange = () => new Promise(() => undefined);
      behind.network.addPeer(parse(liar));
    }
    await eventually(() => behind.network.peers().filter(({ head }) => head !== undefined).length === 3);
    const good = await network.start({ blocks: [...chain] });
    behind.consensus.set = [good.address];
    behind.network.addPeer(parse(good));
    await reached(behind, chain);
  });
});

describe('a node on another chain', () => {
  it('is cut off and imports nothing', async () => {
    const ours = makeChain(10);
    const theirs = [...ours.slice(0, 6)];
    while (theirs.length <= 20) theirs.push(makeBlock(theirs.at(-1), { salt: 7 }));
    const fork = await network.start({ blocks: theirs });
    const node = await network.start({ blocks: [...ours], staticPeers: [fork.enode] });
    await eventually(() => node.log.complaints('blocks of another chain') === 1);
    expect(node.chain.imported).toEqual([]);
    expect(node.peerIds).toEqual([]);
  });
});

function parse(node: FakeNode) {
  return parseEnode(node.enode);
}
