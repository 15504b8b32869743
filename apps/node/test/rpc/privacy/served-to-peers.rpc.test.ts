import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import {
  MAX_REQUESTED_CONTENTS,
  MAX_REQUESTED_HEADERS,
  MAX_REQUESTED_RANGES,
  MAX_STATE_BUDGET,
  type ContentKind,
  type StateAnswers,
  type StateKind,
  type StateQuestions,
} from '@tetrad/node-peer';
import { bytesFromHex, hexFromBytes, type Hash } from '@tetrad/types';
import { eventually } from '../../../../../libs/node/chain/peer/test/eventually.js';
import { FakeNetwork, type FakeNode } from '../../../../../libs/node/chain/peer/test/fake-node.js';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { enodeOf, heightOf } from '../../validator-network.js';
import { creationOf, sendAndMine, setTo } from './private-contracts.js';

/** What the private contract stores, first and then. */
const [FIRST, SECOND] = [0x5ec2e7_00_00_01, 0x5ec2e7_00_00_02] as const;
const KINDS: readonly ContentKind[] = ['node', 'code', 'preimage'];
/** Tables of private contents, each with the hash of what it has; and those of public ones. */
const PRIVATE = ['private_trie_node', 'private_code', 'private_preimage'] as const;
const PUBLIC = ['trie_node', 'code', 'preimage'] as const;

const peers = new FakeNetwork();
let network: PrivacyNetwork;
/** The party whose node is asked, and the peer that asks it, which is party to nothing. */
let node: RunningNode;
let stranger: FakeNode;
/** Hashes by which private state is found in the database of the node. */
let hashes: readonly Uint8Array[];
let privateRoots: readonly Uint8Array[];
/** Hashes of payloads (64), which are in transactions. */
let payloads: readonly Uint8Array[];
let secrets: readonly Uint8Array[];
/** Hashes of public contents, in the order of the tables. */
let publicHashes: readonly (readonly Uint8Array[])[];

beforeAll(async () => {
  const keys = RECORDED_KEYS.slice(0, 2);
  network = await startPrivacyNetwork({
    keys,
    accounts: recordedAccounts(2),
    modules: 'eth,net,debug,admin',
  });
  node = network.nodes[0] as RunningNode;
  const privateFor = [network.managers[1]?.key ?? ''];
  const creation = creationOf('SimpleStorage', FIRST);
  const created = await sendAndMine(node, network.nodes, { data: creation, privateFor });
  const to = created.receipts[0]?.contractAddress;
  const changed = await sendAndMine(node, network.nodes, { to, data: setTo(SECOND), privateFor });
  // A public contract, so that tables of public contents have rows of each kind.
  await sendAndMine(node, network.nodes, { data: creationOf('C1', 7) });
  payloads = await Promise.all([created, changed].map(({ hash }) => payloadOf(hash)));
  await readTables(bytesFromHex(creation as `0x${string}`));
  stranger = await connectStranger();
});
afterAll(async () => {
  await peers.stop();
  await network?.stop();
});

async function payloadOf(hash: string): Promise<Uint8Array> {
  const { input } = await node.result<{ input: `0x${string}` }>('eth_getTransactionByHash', [hash]);
  return bytesFromHex(input);
}

async function readTables(creation: Uint8Array): Promise<void> {
  const database = await connectDatabase({ url: node.databaseUrl, poolSize: 1 });
  const column = async (text: string) =>
    (await database.pool.query<{ bytes: Buffer }>(text)).rows.map(({ bytes }) => Uint8Array.from(bytes));
  try {
    const found = [];
    for (const table of PRIVATE) found.push(await column(`SELECT hash AS bytes FROM ${table}`));
    publicHashes = await Promise.all(PUBLIC.map((table) => column(`SELECT hash AS bytes FROM ${table}`)));
    // The number of a slot may be that of a public one.
    const isPublic = new Set(publicHashes.flat().map(hexFromBytes));
    const own = found.map((rows) => rows.filter((hash) => !isPublic.has(hexFromBytes(hash))));
    for (const rows of own) expect(rows.length).toBeGreaterThan(0);
    privateRoots = await column('SELECT state_root AS bytes FROM private_block');
    hashes = [...own.flat(), ...privateRoots];
    const codes = await column('SELECT code AS bytes FROM private_code');
    secrets = [creation, ...codes, ...privateRoots, ...[FIRST, SECOND].map(numberBytes)];
  } finally {
    await database.close();
  }
}

const numberBytes = (value: number) => Buffer.from(value.toString(16).padStart(12, '0'), 'hex');

async function connectStranger(): Promise<FakeNode> {
  const { hash } = await node.result<{ hash: Hash }>('eth_getBlockByNumber', ['0x0', false]);
  const staticPeers = [await enodeOf(node)];
  const asking = await peers.start({ genesisHash: hash, staticPeers, takesNoBlocks: true });
  await eventually(() => asking.network.states.sources().length === 1, 'the connection');
  return asking;
}

/** The answer of the node over its peer port. */
async function ask<Kind extends StateKind>(
  kind: Kind,
  question: StateQuestions[Kind],
): Promise<StateAnswers[Kind]> {
  const { states } = stranger.network;
  const [source] = states.sources();
  if (source === undefined) throw new Error('the node is not connected');
  const outcome = await states.ask(source, kind, question);
  if (outcome.kind !== 'answered') throw new Error(`${kind}: ${outcome.reason}`);
  return outcome.answer;
}

const contents = (what: ContentKind, of: readonly Uint8Array[]) =>
  ask('contents', { what, hashes: of.slice(0, MAX_REQUESTED_CONTENTS), byteBudget: MAX_STATE_BUDGET });

/** Whole tries with the roots. */
const ranges = (roots: readonly Uint8Array[]) => {
  const [origin, limit] = [new Uint8Array(32), new Uint8Array(32).fill(0xff)];
  const questions = roots.slice(0, MAX_REQUESTED_RANGES).map((root) => ({ root, origin, limit }));
  return ask('ranges', { questions, byteBudget: MAX_STATE_BUDGET });
};

describe('a node with private state gives its peers', () => {
  it('public contents by their hashes', async () => {
    for (const [index, what] of KINDS.entries()) {
      const found = await contents(what, publicHashes[index] ?? []);
      expect(found.length).toBeGreaterThan(0);
      expect(found).not.toContain(undefined);
    }
    const { stateRoot } = await node.result<{ stateRoot: Hash }>('eth_getBlockByNumber', ['latest', false]);
    const [accounts] = await ranges([bytesFromHex(stateRoot)]);
    expect(accounts?.entries.length).toBeGreaterThan(0);
  });

  it('nothing by hashes of private nodes, codes, slots and state roots, whatever it says that they are of', async () => {
    for (const what of KINDS) expect(await contents(what, hashes)).toEqual(hashes.map(() => undefined));
    expect(new Set(await ranges(hashes))).toEqual(new Set([undefined]));
    expect((await ranges(privateRoots)).length).toBe(privateRoots.length);
  });

  it('nothing by hashes of payloads, which are in transactions', async () => {
    const halves = payloads.flatMap((payload) => [payload.subarray(0, 32), payload.subarray(32)]);
    expect(halves.map(({ length }) => length)).toEqual([32, 32, 32, 32]);
    for (const what of KINDS) expect(await contents(what, halves)).toEqual(halves.map(() => undefined));
    expect(await ranges(halves)).toEqual(halves.map(() => undefined));
  });

  it('blocks without what is private in them', async () => {
    const from = await heightOf(node);
    const given = [
      ...(await ask('headers', { from: 0, limit: MAX_REQUESTED_HEADERS, byteBudget: MAX_STATE_BUDGET })),
    ];
    expect(given.length).toBeGreaterThan(from);
    const past = await ask('history', { from, limit: from, byteBudget: MAX_STATE_BUDGET });
    expect(past.length).toBe(from);
    for (const block of past) given.push(...(block?.transactions ?? []), ...(block?.receipts ?? []));
    const all = given.map(hexFromBytes);
    // What is asked for is there: the transactions with the hashes of the payloads.
    for (const payload of payloads)
      expect(all.some((one) => one.includes(hexFromBytes(payload).slice(2)))).toBe(true);
    for (const secret of secrets)
      expect(all.some((one) => one.includes(hexFromBytes(secret).slice(2)))).toBe(false);
  });
});
