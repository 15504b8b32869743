import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { encodeHeader } from '@tetrad/node-block';
import type { StatePort } from '@tetrad/node-peer';
import { hashToBytes, type Address, type Block, type Hash } from '@tetrad/types';
import { HastyClock } from '../../consensus-bft-chain/test/hasty-clock.js';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { nextBlock, sealHeader } from '../../consensus-bft-chain/test/seal-block.js';
import { TestLedgers, blocksOf } from '../../consensus-bft-chain/test/test-ledgers.js';
import { FakeNetwork, type FakeNode } from '../../peer/test/fake-node.js';
import { assertJoined, growChain } from './assert-joined.js';
import {
  A,
  B,
  C,
  D,
  addressesOf,
  append,
  largeGenesis,
  startJoining,
  startPeer,
  statePortOf,
} from './joining-chain.js';

const ledgers = new TestLedgers();
const network = new FakeNetwork();
beforeEach(() => ledgers.begin());
afterEach(async () => {
  await network.stop();
  await ledgers.end();
});

const genesis = largeGenesis();
let chain: TestLedger;

const assertJoinedAt = (url: string, number: number) => assertJoined({ ledgers, chain }, url, number);

const start = (peers: readonly FakeNode[], more: Partial<Parameters<typeof startJoining>[2]> = {}) =>
  startJoining({ ledgers, network }, peers, { genesis, ...more });

describe('a peer that attacks a node that joins', () => {
  beforeEach(async () => {
    chain = await ledgers.open(ledgers.url, { genesis });
    await growChain(chain);
  });

  const forge = (block: Block): Uint8Array => encodeHeader({ ...block.header, gasUsed: 7n });

  /** The same header with a vote for a stranger, proposed and sealed by strangers. */
  const forgeVote = ({ header }: Block): Uint8Array => {
    const strangers = [6, 7, 8].map((scalar) => Buffer.alloc(32, scalar)) as [Buffer, Buffer, Buffer];
    const beneficiary = addressFromPrivateKey(strangers[0]);
    return encodeHeader(
      sealHeader({
        format: 'qbft',
        header: { ...header, beneficiary },
        validators: addressesOf([A, B, C, D]),
        proposerKey: strangers[0],
        keys: strangers,
        vote: { recipient: beneficiary, isAdd: true },
      }),
    );
  };

  it.each<[string, string, (honest: StatePort) => Partial<StatePort>]>([
    [
      'leaves out accounts',
      'a peer gave a false part',
      ({ ranges }) => ({
        ranges: async (question) =>
          (await ranges(question)).map((range) => range && { ...range, entries: range.entries.slice(1) }),
      }),
    ],
    [
      'gives another root',
      'a peer gave a false part',
      ({ ranges }) => ({
        ranges: async (question) => {
          const root = hashToBytes((await chain.ledger.findHeader(0))?.header.stateRoot as Hash);
          return ranges({ ...question, questions: question.questions.map((one) => ({ ...one, root })) });
        },
      }),
    ],
    [
      'says that there is nothing',
      'a peer gave a false part',
      () => ({ ranges: async ({ questions }) => questions.map(() => ({ entries: [], proof: [] })) }),
    ],
    [
      'gives false preimages',
      'a peer gave a false part',
      () => ({ contents: async ({ hashes }) => hashes.map(() => Uint8Array.of(1)) }),
    ],
    [
      'gives forged headers',
      'invalid committed seals',
      () => ({
        headers: async ({ from }) => [forge((await blocksOf(chain))[from - 1] as Block)],
      }),
    ],
    [
      'gives one account at a time',
      '',
      ({ ranges }) => ({
        ranges: async ({ questions, byteBudget }) => [
          (await ranges({ questions: questions.slice(0, 1), byteBudget: Math.min(byteBudget, 1) }))[0],
        ],
      }),
    ],
    ['gives no headers', '', () => ({ headers: async () => [] })],
    [
      'gives one header at a time',
      '',
      ({ headers }) => ({ headers: async (question) => headers({ ...question, limit: 1 }) }),
    ],
    [
      'gives one content at a time',
      '',
      ({ contents }) => ({
        contents: async (question) => contents({ ...question, hashes: question.hashes.slice(0, 1) }),
      }),
    ],
    [
      'gives a forged change of validators',
      'unauthorized',
      () => ({
        headers: async ({ from }) => [forgeVote((await blocksOf(chain))[from - 1] as Block)],
      }),
    ],
    [
      'has lost every state',
      '',
      () => ({
        ranges: async () => [undefined],
        contents: async ({ hashes }) => hashes.map(() => undefined),
      }),
    ],
    [
      'fails at everything',
      '',
      () => {
        const fail = () => Promise.reject(new Error('no database'));
        return { ranges: fail, contents: fail, headers: fail };
      },
    ],
  ])('and %s is left for an honest one', async (_, complaint, attack) => {
    const honest = await startPeer(network, chain);
    const attacker = await startPeer(network, chain, attack(statePortOf(chain)));
    const joining = await start([attacker, honest]);
    expect(await joining.run()).toBe(5);
    if (complaint !== '') expect(joining.log.complaints(complaint)).toBeGreaterThan(0);
    await assertJoinedAt(joining.url, 5);
  });

  it('by a fork that removed validators sealed is left for an honest one', async () => {
    const fork = await ledgers.open(await ledgers.freshUrl(), { genesis });
    const vote = { vote: { recipient: addressFromPrivateKey(D), isAdd: false } };
    const own = await ledgers.open(await ledgers.freshUrl(), { genesis });
    chain = own;
    for (const key of [A, B, C]) await append(own, [], { proposerKey: key, ...vote });
    for (const block of await blocksOf(own)) await fork.ledger.importBlock(block);
    for (let blocks = 0; blocks < 3; blocks++) await append(own);
    const forged = await nextBlock(fork, { proposerKey: A, keys: [A, B, D] });
    const headers: StatePort['headers'] = async (question) => [
      ...(await statePortOf(fork).headers(question)),
      encodeHeader(forged.header),
    ];
    const joining = await start([await startPeer(network, own, { headers }), await startPeer(network, own)]);
    expect(await joining.run()).toBe(5);
    expect(joining.log.complaints('invalid committed seals')).toBe(1);
    await assertJoinedAt(joining.url, 5);
  });

  it.each<[string, (clock: HastyClock) => StatePort['headers']]>([
    ['none of its headers', () => async () => []],
    [
      'no answer about them',
      (clock) => () => {
        clock.putForward(60_000);
        return new Promise(() => undefined);
      },
    ],
  ])('and announces a newer block with each question, and gives %s, is left', async (_, attack) => {
    const clock = new HastyClock();
    const answer = attack(clock);
    const attacker = await startPeer(network, chain, {
      headers: (question) => {
        announced += 1_000;
        announce();
        return answer(question);
      },
    });
    let announced = 1_000_000;
    const newest = () => {
      const head = chain.ledger.head();
      return { ...head, header: { ...head.header, number: announced }, transactions: [] };
    };
    const announce = () => attacker.network.announceBlock(newest(), () => new Uint8Array(0));
    attacker.chain.head = newest;
    const limits = { answerTimeoutMs: 1_000, leastBytesPerSecond: 8 * 1024 * 1024 };
    const joining = await start([attacker, await startPeer(network, chain)], { clock, limits });
    expect(await joining.run()).toBe(5);
    await assertJoinedAt(joining.url, 5);
  });

  it('and gives a state that is lost with the next question is left', async () => {
    const honest = statePortOf(chain);
    let asked = 0;
    const attacker = await startPeer(network, chain, {
      ranges: async (question) => (asked++ % 2 === 0 ? honest.ranges(question) : [undefined]),
    });
    const joining = await start([attacker, await startPeer(network, chain)]);
    expect(await joining.run()).toBe(5);
    expect(asked).toBeGreaterThan(1);
    await assertJoinedAt(joining.url, 5);
  });
});

it('a false witness of the validators that a contract names is refused, and an honest peer asked', async () => {
  const contract = `0x${'ce'.repeat(20)}` as Address;
  const named = genesisOfContract(contract);
  chain = await ledgers.open(ledgers.url, { genesis: named });
  for (let blocks = 0; blocks < 6; blocks++) await append(chain);
  const witness = await startPeer(network, chain, { validators: async () => ({ nodes: [], codes: [] }) });
  const joining = await start([witness, await startPeer(network, chain)], { genesis: named });
  expect(await joining.run()).toBe(5);
  expect(joining.log.complaints('validators not shown')).toBe(1);
  await assertJoinedAt(joining.url, 5);
});

/** The contract answers every call with its first six slots: the list of A, B, C and D. */
function genesisOfContract(contract: Address) {
  const consensus = { validatorselectionmode: 'contract', validatorcontractaddress: contract };
  const word = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex');
  const byte = (value: number) => value.toString(16).padStart(2, '0');
  const words = ['20', '4', ...addressesOf([A, B, C, D]).map((address) => address.slice(2))];
  const reads = words.map((_, slot) => `60${byte(slot)}5460${byte(slot * 32)}52`).join('');
  const code = Buffer.from(`${reads}60${byte(words.length * 32)}6000f3`, 'hex');
  const storage = words.map((value, slot) => ({ slot: word(byte(slot)), value: word(value) }));
  const large = largeGenesis({ consensus });
  return { ...large, alloc: [...large.alloc, { address: contract, balance: 0n, nonce: 1n, code, storage }] };
}
