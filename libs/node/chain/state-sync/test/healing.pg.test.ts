import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StatePort } from '@tetrad/node-peer';
import { hexFromBytes, type Address } from '@tetrad/types';
import { transfer, type TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { assertJoined } from './assert-joined.js';
import { useGrownChain } from './grown-chain.js';
import { DOOMED, STORE, append, startJoining, startPeer, statePortOf } from './joining-chain.js';

let chain: TestLedger;
const { ledgers, network, genesis } = useGrownChain((grown) => (chain = grown));

/** Of the accounts that send: 0 and 1 have sent three. */
const nonces = new Map<number, number>();
const next = (account: number): number => {
  const nonce = nonces.get(account) ?? (account < 2 ? 3 : 0);
  nonces.set(account, nonce + 1);
  return nonce;
};

/** Changes a slot and clears another, makes an account, and takes one away with its storage the first time. */
async function change(round: number): Promise<void> {
  const set = (slot: number, value: number) => {
    const data = Buffer.concat([Buffer.alloc(31), Buffer.of(slot), Buffer.alloc(32, value)]);
    return transfer(0, next(0), { to: STORE, data, gas: 100_000n, value: 0n });
  };
  const made = transfer(2, next(2), { to: `0x${(0xe0 + round).toString(16).repeat(20)}` as Address });
  const doomed = round === 0 ? [transfer(1, next(1), { to: DOOMED, gas: 100_000n, value: 0n })] : [];
  await append(chain, [set(70 + round, 5), set(100 + round, 0), made, ...doomed]);
  for (let blocks = 0; blocks < 2; blocks++) await append(chain);
}

describe('a state whose target moves', () => {
  beforeEach(() => nonces.clear());

  /** A peer that has the newest state but one alone, and goes on after each of the numbers of ranges. */
  function movingPort(moves: readonly number[]): Partial<StatePort> & { readonly nodes: Set<string> } {
    const honest = statePortOf(chain);
    const lost = new Set<string>();
    const nodes = new Set<string>();
    let [ranges, round, hasMovedInHealing] = [0, 0, false];
    const move = async () => {
      for (const { header } of await chain.ledger.listHeaders(0, chain.ledger.head().header.number))
        lost.add(header.stateRoot);
      await change(round++);
    };
    return {
      nodes,
      ranges: async (question) => {
        ranges += 1;
        if (moves.includes(ranges)) await move();
        const isLost = question.questions.some(({ root }) => lost.has(hexFromBytes(root)));
        return isLost ? [undefined] : honest.ranges(question);
      },
      contents: async (question) => {
        if (question.what !== 'node') return honest.contents(question);
        if (!hasMovedInHealing) {
          hasMovedInHealing = true;
          await move();
          return question.hashes.map(() => undefined);
        }
        for (const hash of question.hashes) nodes.add(hexFromBytes(hash));
        return honest.contents(question);
      },
    };
  }

  it('is joined all the same, and only what differs is asked for', async () => {
    const port = movingPort([3, 6]);
    const joining = await startJoining({ ledgers, network }, [await startPeer(network, chain, port)], {
      genesis,
    });
    const joined = await joining.run();
    expect(joined).toBe(chain.ledger.head().header.number - 1);
    expect(joining.log.complaints('no longer at any peer')).toBe(3);
    await assertJoined({ ledgers, chain }, joining.url, joined as number);
    const { rows } = await chain.database.pool.query<{ nodes: number }>(
      'SELECT count(*)::int AS nodes FROM trie_node',
    );
    expect(port.nodes.size).toBeGreaterThan(0);
    expect(port.nodes.size).toBeLessThan((rows[0]?.nodes ?? 0) / 4);
  });
});
