import { describe, expect, it } from '@jest/globals';
import type { StatePort } from '@tetrad/node-peer';
import { hashToBytes, type Hash } from '@tetrad/types';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import type { FakeNode } from '../../peer/test/fake-node.js';
import { assertJoined } from './assert-joined.js';
import { useSharedChain } from './grown-chain.js';
import { startJoining, startPeer, statePortOf, type Joining } from './joining-chain.js';
import { assertCutOff, whyLeft } from './why-left.js';

let chain: TestLedger;
const { ledgers, network, genesis } = useSharedChain((grown) => (chain = grown));

/** What an attacker answers in place of an honest peer. */
type Attack = (honest: StatePort) => Partial<StatePort>;

/** The answer about ranges with another content of each range. */
const spoilt =
  (spoil: (range: Range) => Partial<Range>): Attack =>
  ({ ranges }) => ({
    ranges: async (question) =>
      (await ranges(question)).map((range) => range && { ...range, ...spoil(range) }),
  });
type Range = Exclude<Awaited<ReturnType<StatePort['ranges']>>[number], undefined>;

/** Joins with the attacker as the first of two peers. */
async function joinBeside(
  attack: Partial<StatePort>,
): Promise<{ joining: Joining; attacker: FakeNode; honest: FakeNode }> {
  const honest = await startPeer(network, chain);
  const attacker = await startPeer(network, chain, attack);
  const joining = await startJoining({ ledgers, network }, [attacker, honest], { genesis });
  expect(await joining.run()).toBe(5);
  await assertJoined({ ledgers, chain }, joining.url, 5);
  return { joining, attacker, honest };
}

describe('a peer that lies to a node that joins', () => {
  it.each<[string, string, Attack]>([
    ['leaves out accounts', 'entries are left out', spoilt(({ entries }) => ({ entries: entries.slice(1) }))],
    [
      'changes an account',
      'entries are not those of the trie',
      spoilt(({ entries: [first, ...more] }) => ({
        entries: first === undefined ? more : [{ ...first, value: Uint8Array.of(0xc0) }, ...more],
      })),
    ],
    [
      'gives another root',
      'a node on the way is not in the proof',
      ({ ranges }) => ({
        ranges: async (question) => {
          const root = hashToBytes((await chain.ledger.findHeader(0))?.header.stateRoot as Hash);
          return ranges({ ...question, questions: question.questions.map((one) => ({ ...one, root })) });
        },
      }),
    ],
    [
      'says that there is nothing',
      'the entries have another root',
      spoilt(() => ({ entries: [], proof: [] })),
    ],
    [
      'gives empty ranges without end, with true nodes of the trie',
      'entries are left out',
      spoilt(() => ({ entries: [] })),
    ],
    [
      'gives false preimages',
      'a preimage with another hash',
      () => ({ contents: async ({ hashes }) => hashes.map(() => Uint8Array.of(1)) }),
    ],
  ])('and %s is cut off: %s', async (_, reason, attack) => {
    const { joining, ...peers } = await joinBeside(attack(statePortOf(chain)));
    await assertCutOff(joining, { ...peers, reason });
  });
});

describe('a peer that gives a node little with which to join', () => {
  it.each<[string, string, Attack]>([
    [
      'gives one account at a time',
      'it gave a few of many',
      ({ ranges }) => ({
        ranges: async ({ questions, byteBudget }) => [
          (await ranges({ questions: questions.slice(0, 1), byteBudget: Math.min(byteBudget, 1) }))[0],
        ],
      }),
    ],
    ['gives no headers', 'the peer has no header 1', () => ({ headers: async () => [] })],
    [
      'gives one header at a time',
      'it gave a few of many',
      ({ headers }) => ({ headers: async (question) => headers({ ...question, limit: 1 }) }),
    ],
    [
      'gives one content at a time',
      'it gave a few of many',
      ({ contents }) => ({
        contents: async (question) => contents({ ...question, hashes: question.hashes.slice(0, 1) }),
      }),
    ],
    [
      'has lost every state',
      'the peer does not have the trie',
      () => ({
        ranges: async () => [undefined],
        contents: async ({ hashes }) => hashes.map(() => undefined),
      }),
    ],
    [
      'fails at everything',
      'the peer is busy',
      () => {
        const fail = () => Promise.reject(new Error('no database'));
        return { ranges: fail, contents: fail, headers: fail };
      },
    ],
  ])('and %s is left for an honest one: %s', async (_, reason, attack) => {
    const { joining, attacker } = await joinBeside(attack(statePortOf(chain)));
    expect(whyLeft(joining.log.lines, attacker)).toContain(reason);
  });

  it('and gives a state that is lost with the next question is left for an honest one', async () => {
    const honest = statePortOf(chain);
    let asked = 0;
    const { joining, attacker } = await joinBeside({
      ranges: async (question) => (asked++ % 2 === 0 ? honest.ranges(question) : [undefined]),
    });
    expect(asked).toBeGreaterThan(1);
    expect(whyLeft(joining.log.lines, attacker)).toContain('the peer does not have the trie');
  });
});
