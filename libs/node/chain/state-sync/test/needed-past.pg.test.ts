import { describe, expect, it } from '@jest/globals';
import { encodeBlock } from '@tetrad/node-block';
import type { StatePort } from '@tetrad/node-peer';
import type { Block } from '@tetrad/types';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { blocksOf } from '../../consensus-bft-chain/test/test-ledgers.js';
import { eventually } from '../../peer/test/eventually.js';
import type { FakeNode } from '../../peer/test/fake-node.js';
import { PastNeededError, type PastToLeaveOut } from '../src/index.js';
import { assertJoined } from './assert-joined.js';
import { useGrownChain } from './grown-chain.js';
import { append, startJoining, startPeer, type Joining } from './joining-chain.js';

let chain: TestLedger;
const { ledgers, network, genesis } = useGrownChain((grown) => (chain = grown));

type More = Partial<Parameters<typeof startJoining>[2]>;

const start = (peer: FakeNode, more: More) =>
  startJoining({ ledgers, network }, [peer], { genesis, ...more });

/** The blocks up to the sixth have no private transactions of this node; it is not known of later ones. */
const upToSix = (more: Partial<PastToLeaveOut> = {}): PastToLeaveOut => ({
  mayLeaveOut: async ({ number }) => number < 6,
  leftOut: async () => undefined,
  ...more,
});

/** Appends three blocks, and lets the node that joins see them. */
async function grow(peer: FakeNode, joining?: Joining): Promise<void> {
  for (let blocks = 0; blocks < 3; blocks += 1) await append(chain);
  const newest = (await blocksOf(chain)).at(-1) as Block;
  peer.network.announceBlock(newest, () => encodeBlock(newest));
  if (joining === undefined) return;
  const seen = () => joining.node.network.states.sources()[0]?.head?.number;
  await eventually(() => seen() === newest.header.number, 'the newest head');
}

describe('a node that gets a private payload while it joins by state', () => {
  it('takes the state of the block up to which it is a party to nothing, and executes the blocks after it', async () => {
    const peer = await startPeer(network, chain);
    const asked: number[] = [];
    const joining: Joining = await start(peer, {
      past: {
        mayLeaveOut: async ({ number }) => (asked.push(number), number < 6),
        leftOut: ({ number }) => (number === 5 ? grow(peer, joining) : Promise.resolve()),
      },
    });
    expect(await joining.run()).toBe(5);
    expect(asked).toEqual([5, 8]);
    await assertJoined({ ledgers, chain }, joining.url, 5);
  });

  const killed = new Error('killed');
  const kill = () => Promise.reject(killed);

  it.each<[string, More, Partial<StatePort>]>([
    ['after its headers were stored', { past: upToSix({ leftOut: kill }) }, {}],
    ['before it takes a state', { past: upToSix(), onTarget: kill }, {}],
    ['while it takes a state', { past: upToSix() }, { ranges: kill, contents: kill }],
  ])('and is killed %s goes on all the same', async (_, more, attack) => {
    const failing = await startPeer(network, chain, attack);
    const first = await start(failing, more);
    if (attack.ranges !== undefined)
      void eventually(() => first.log.lines.some(({ message }) => message.includes('taking the state'))).then(
        () => first.ending.abort(killed),
      );
    await expect(first.run()).rejects.toBe(killed);
    const peer = await startPeer(network, chain);
    await grow(peer);
    const again = await start(peer, { url: first.url, past: upToSix() });
    expect(await again.run()).toBe(5);
    await assertJoined({ ledgers, chain }, again.url, 5);
  });

  it.each<[string, More, Partial<StatePort>]>([
    ['at its first headers', { past: upToSix({ mayLeaveOut: async () => false }) }, {}],
    [
      'and finds no peer that has the state of that block any more',
      { past: upToSix() },
      { ranges: async ({ questions }) => questions.map(() => undefined) },
    ],
  ])('%s fails with what is needed, and begins anew', async (_, more, attack) => {
    const peer = await startPeer(network, chain, attack);
    const joining = await start(peer, { ...more, onTarget: () => grow(peer, joining) });
    await expect(joining.run()).rejects.toThrow(PastNeededError);
    const given = await ledgers.open(joining.url, { genesis });
    await given.store.stateSync.abandon();
    expect(await given.store.stateSync.find()).toBeUndefined();
    expect(await given.store.stateSync.findNewestHeader()).toBe(0);
    expect(await given.store.privateState.findHead()).toBeUndefined();
    await ledgers.close(given);
    await assertJoined({ ledgers, chain }, joining.url, 0);
  });
});

it('a joining that has ended is not given up', async () => {
  const joining = await start(await startPeer(network, chain), {});
  await joining.run();
  const { store } = await ledgers.open(joining.url, { genesis });
  await expect(store.stateSync.abandon()).rejects.toThrow('only a joining that has not ended');
  expect((await store.stateSync.find())?.joinedBlock).toBe(5);
});
