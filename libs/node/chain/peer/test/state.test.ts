import { afterEach, describe, expect, it } from '@jest/globals';
import type { StatePort, StateSource } from '../src/index.js';
import { eventually } from './eventually.js';
import { FakeNetwork, type FakeNode } from './fake-node.js';

const network = new FakeNetwork();
afterEach(() => network.stop());

const HASH = new Uint8Array(32).fill(7);
const RANGE = { entries: [{ key: HASH, value: HASH }], proof: [HASH] };
const QUESTION = { root: HASH, origin: HASH, limit: HASH };

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
