import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import type { TrieRange } from '@tetrad/node-execution';
import { ServedState } from '@tetrad/node-ledger';
import type { StatePort } from '@tetrad/node-peer';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { Chain } from '../../execution/src/testing/chain.js';
import { eventually } from '../../peer/test/eventually.js';
import { FakeNetwork } from '../../peer/test/fake-node.js';
import { SourceError, VerifiedSource, type ReceivedRange } from '../src/index.js';

const FIRST = new Uint8Array(32);
const LAST = new Uint8Array(32).fill(0xff);
const ACCOUNTS = 5_000;
const SLOTS = 300;
const CONTRACT = parseAddress(`0x${'c1'.repeat(20)}`);
const word = (value: number) => `0x${value.toString(16)}`;

/** Accounts with one wei each, and a contract with slots. */
const alloc = {
  [CONTRACT]: {
    code: '0x600160025500',
    storage: Object.fromEntries(Array.from({ length: SLOTS }, (_, slot) => [word(slot), word(slot + 1)])),
  },
  ...Object.fromEntries(
    Array.from({ length: ACCOUNTS }, (_, index) => [
      `0x${(index + 1).toString(16).padStart(40, '0')}`,
      { balance: '0x1' },
    ]),
  ),
};

const network = new FakeNetwork();
afterEach(() => network.stop());

let chain: Chain;
let served: ServedState;
let root: Uint8Array;
let storageRoot: Uint8Array;

beforeAll(async () => {
  chain = await Chain.start({ alloc });
  const { memory } = chain;
  served = new ServedState({
    findNode: (hash) => memory.findNode(hash),
    findCode: (hash) => memory.findCode(hash),
    findPreimage: (hash) => memory.findPreimage(hash),
    listBlocks: async () => [],
  });
  root = Buffer.from((await chain.world.commitBlock()).stateRoot.slice(2), 'hex');
  const account = await chain.world.findAccount(CONTRACT);
  storageRoot = Buffer.from(account?.storageRoot.slice(2) ?? '', 'hex');
});

const honest = (): StatePort => ({
  headers: (question) => served.headers(question),
  ranges: (question) => served.ranges(question),
  contents: (question) => served.contents(question),
  validators: async () => undefined,
  history: async () => [],
});

/** A peer with the state, as a node without it sees the peer. */
async function sourceOf(more: Partial<StatePort> = {}) {
  const full = await network.start({ state: { ...honest(), ...more } });
  const joining = await network.start({ staticPeers: [full.enode] });
  await eventually(() => joining.peerIds.length === 1);
  const { states } = joining.network;
  const [source] = states.sources();
  if (source === undefined) throw new Error('no peer with a state');
  return { joining, verified: new VerifiedSource(states, source) };
}

function after(key: Uint8Array): Uint8Array<ArrayBuffer> {
  const next = BigInt(hexFromBytes(key)) + 1n;
  return Buffer.from(next.toString(16).padStart(64, '0'), 'hex');
}

/** All ranges of a trie, one after the other. */
async function readTrie(verified: VerifiedSource, of: Uint8Array): Promise<ReceivedRange[]> {
  const ranges: ReceivedRange[] = [];
  for (let origin = FIRST; ;) {
    const [range] = await verified.ranges([{ root: of, origin, limit: LAST }]);
    if (range === undefined) throw new Error('no range');
    ranges.push(range);
    if (!range.hasMore) return ranges;
    origin = after((range.entries.at(-1) as { key: Uint8Array }).key);
  }
}

const faultOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'none',
    (error: unknown) => (error instanceof SourceError ? error.fault : error),
  );

describe('a verified source', () => {
  it('gives every account, with every node of the trie', async () => {
    const { verified } = await sourceOf();
    const ranges = await readTrie(verified, root);
    expect(ranges.length).toBeGreaterThan(1);
    expect(ranges.flatMap(({ entries }) => entries)).toHaveLength(ACCOUNTS + 2);
    const nodes = new Set(
      ranges.flatMap(({ inside, boundary }) =>
        [...inside, ...boundary].map(({ hash }) => hexFromBytes(hash)),
      ),
    );
    expect(nodes.has(hexFromBytes(root))).toBe(true);
  });

  it('gives several tries at once, and says which it does not have', async () => {
    const { verified } = await sourceOf();
    const questions = [storageRoot, storageRoot, LAST].map((one) => ({
      root: one,
      origin: FIRST,
      limit: LAST,
    }));
    const ranges = await verified.ranges(questions);
    expect(ranges.map(({ entries }) => entries.length)).toEqual([SLOTS, SLOTS]);
    expect(await faultOf(verified.ranges(questions.slice(2)))).toBe('missing');
  });

  it('gives contents by their hash, and leaves out those that the peer does not have', async () => {
    const { verified } = await sourceOf();
    const slot = Buffer.alloc(32, 0);
    const hashes = [LAST, keccak256(slot)];
    expect(await verified.contents('preimage', hashes)).toEqual([
      { hash: hashes[1], encoded: Uint8Array.from(slot) },
    ]);
    expect(await faultOf(verified.contents('node', [LAST]))).toBe('missing');
    expect(await faultOf(verified.validators(1))).toBe('missing');
  });
});

describe('a peer that lies', () => {
  const question = () => ({ root, origin: FIRST, limit: LAST });

  type Spoil = (entries: TrieRange['entries']) => TrieRange['entries'];

  it.each<[string, Spoil]>([
    ['leaves out an entry', (entries) => entries.filter((_, at) => at !== 3)],
    ['says that there is nothing', () => []],
    [
      'changes a value',
      (entries) => entries.map((entry, at) => (at === 2 ? { ...entry, value: FIRST } : entry)),
    ],
  ])('and %s is cut off', async (_, spoil) => {
    const ranges: StatePort['ranges'] = async (asked) =>
      (await served.ranges(asked)).map((range) => range && { ...range, entries: spoil(range.entries) });
    const { joining, verified } = await sourceOf({ ranges });
    expect(await faultOf(verified.ranges([question()]))).toBe('false');
    await eventually(() => joining.peerIds.length === 0);
  });

  it('about another root is cut off', async () => {
    const ranges: StatePort['ranges'] = (asked) =>
      served.ranges({ ...asked, questions: asked.questions.map((one) => ({ ...one, root: storageRoot })) });
    const { joining, verified } = await sourceOf({ ranges });
    expect(await faultOf(verified.ranges([question()]))).toBe('false');
    await eventually(() => joining.peerIds.length === 0);
  });

  it('about a content is cut off', async () => {
    const { joining, verified } = await sourceOf({ contents: async () => [Uint8Array.of(1)] });
    expect(await faultOf(verified.contents('code', [LAST]))).toBe('false');
    await eventually(() => joining.peerIds.length === 0);
  });
});
