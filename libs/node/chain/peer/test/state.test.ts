import { afterEach, describe, expect, it } from '@jest/globals';
import type { StatePort, StateSource } from '../src/index.js';
import { eventually, pause } from './eventually.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';

const network = new FakeNetwork();
afterEach(() => network.stop());

const HASH = new Uint8Array(32).fill(7);
const RANGE = { entries: [{ key: HASH, value: HASH }], proof: [HASH] };
const QUESTION = { root: HASH, origin: HASH, limit: HASH };

/** Longer than a node asks a peer that is busy, in tests. */
const FLOODED_MS = 1_500;

const port = (more: Partial<StatePort> = {}): StatePort => ({
  headers: async () => [HASH],
  ranges: async () => [RANGE, undefined],
  contents: async () => [HASH, undefined],
  validators: async () => ({ nodes: [HASH], codes: [] }),
  history: async () => [{ transactions: [HASH], receipts: [HASH] }, undefined],
  ...more,
});

/** A node that serves a state, and one that is connected with it. */
async function pairOf(state: StatePort | undefined, versions?: { oldest: number; newest: number }) {
  const full = await network.start({
    ...(state === undefined ? {} : { state }),
    ...(versions === undefined ? {} : { versions }),
  });
  const joining = await network.start({ staticPeers: [full.enode] });
  await eventually(() => joining.peerIds.length === 1 && full.peerIds.length === 1);
  return { full, joining };
}

function sourceOf(node: FakeNode): StateSource {
  const [source] = node.network.states.sources();
  if (source === undefined) throw new Error('no peer with a state');
  return source;
}

const penalty = (node: FakeNode) => node.network.peers()[0]?.penaltyPoints;

describe('a peer that serves its state', () => {
  it('answers each kind of question', async () => {
    const asked: unknown[] = [];
    const headers: StatePort['headers'] = async (question) => {
      asked.push(question);
      return [HASH];
    };
    const { joining } = await pairOf(port({ headers }));
    const { states } = joining.network;
    const source = sourceOf(joining);
    expect(await states.ask(source, 'headers', { from: 3, limit: 5, byteBudget: 7 })).toEqual({
      kind: 'answered',
      answer: [HASH],
    });
    expect(asked).toMatchObject([{ from: 3, limit: 5, byteBudget: 7 }]);
    const questions = [QUESTION, QUESTION, QUESTION];
    expect(await states.ask(source, 'ranges', { questions, byteBudget: 1 })).toMatchObject({
      answer: [{ entries: [{}], proof: [{}] }, undefined],
    });
    const contents = { what: 'code', hashes: [HASH, HASH], byteBudget: 1 } as const;
    expect(await states.ask(source, 'contents', contents)).toMatchObject({ answer: [{}, undefined] });
    expect(await states.ask(source, 'validators', { number: 9 })).toMatchObject({ answer: { codes: [] } });
  });

  it('is asked only when it speaks a version that has the questions; an older one goes on with everything else', async () => {
    const { joining, full } = await pairOf(port(), { oldest: 1, newest: 2 });
    expect(joining.network.states.sources()).toEqual([]);
    expect(joining.network.peers()).toMatchObject([{ protocol: 2 }]);
    const block = full.produce();
    await eventually(() => joining.chain.head().hash === block.hash);
  });

  it('has nothing when it serves none', async () => {
    const { joining } = await pairOf(undefined);
    const { states } = joining.network;
    const source = sourceOf(joining);
    expect(await states.ask(source, 'headers', { from: 0, limit: 1, byteBudget: 1 })).toMatchObject({
      answer: [],
    });
  });

  it('is penalized for an answer that has not the form of its question, and cut off for a false one', async () => {
    const { joining } = await pairOf(port({ headers: async () => [HASH, HASH] }));
    const { states } = joining.network;
    const source = sourceOf(joining);
    expect(await states.ask(source, 'headers', { from: 0, limit: 1, byteBudget: 1 })).toEqual({
      kind: 'unusable',
      reason: 'answer: more than 1 items',
    });
    expect(penalty(joining)).toBeGreaterThan(40);
    states.blame(source, 'entries are left out');
    await eventually(() => joining.peerIds.length === 0);
    expect(await states.ask(source, 'headers', { from: 0, limit: 1, byteBudget: 1 })).toEqual({
      kind: 'unavailable',
      reason: 'the peer is gone',
    });
  });

  it('answers again later when its own database fails', async () => {
    let fails = 2;
    const headers: StatePort['headers'] = async () => {
      if (fails-- > 0) throw new Error('no database');
      return [HASH];
    };
    const { joining } = await pairOf(port({ headers }));
    const { states } = joining.network;
    const source = sourceOf(joining);
    expect(await states.ask(source, 'headers', { from: 0, limit: 1, byteBudget: 1 })).toMatchObject({
      kind: 'answered',
    });
    expect(penalty(joining)).toBe(0);
  });
});

describe('a peer that many strangers ask without end', () => {
  it('answers a node that its operator named, with the next turn', async () => {
    const [release, released] = gate();
    const order: number[] = [];
    const headers: StatePort['headers'] = async ({ from }) => {
      order.push(from);
      await released;
      return [HASH];
    };
    const joining = await network.start();
    const full = await network.start({ state: port({ headers }), staticPeers: [joining.enode] });
    const strangers: FakeNode[] = [];
    for (let count = 0; count < 10; count++)
      strangers.push(await network.start({ staticPeers: [full.enode] }));
    await eventually(() => full.peerIds.length === strangers.length + 1);
    await eventually(() => strangers.every(({ peerIds }) => peerIds.length === 1));
    const ask = (node: FakeNode, from: number) =>
      node.network.states.ask(sourceOf(node), 'headers', { from, limit: 1, byteBudget: 1 });
    let isOver = false;
    const floods = strangers.map(async (node) => {
      while (!isOver) await ask(node, 1);
    });
    await eventually(() => order.length === 1);
    await pause(FLOODED_MS);
    const answer = ask(joining, 2);
    // It would have been told so often to come again by then that it gives up.
    await Promise.race([answer, pause(FLOODED_MS)]);
    release();
    await expect(answer).resolves.toMatchObject({ kind: 'answered' });
    isOver = true;
    await Promise.all(floods);
    expect(order.slice(0, 2)).toEqual([1, 2]);
  });
});

/** A promise, and what resolves it. */
function gate(): readonly [() => void, Promise<void>] {
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [() => open(), opened];
}
