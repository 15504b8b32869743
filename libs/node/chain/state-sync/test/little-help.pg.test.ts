import { describe, expect, it } from '@jest/globals';
import type { StatePort } from '@tetrad/node-peer';
import { HastyClock } from '../../consensus-bft-chain/test/hasty-clock.js';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { assertJoined } from './assert-joined.js';
import { useGrownChain } from './grown-chain.js';
import { append, startJoining, startPeer, statePortOf } from './joining-chain.js';
import { whyLeft } from './why-left.js';

let chain: TestLedger;
const { ledgers, network, genesis } = useGrownChain((grown) => (chain = grown));

/** Questions that such a peer may get: it rests longer after each. Asked first each time, it would get dozens. */
const FEW_QUESTIONS = 6;

interface Questions {
  /** Those of the kind about which the peer is of little help. */
  asked: number;
}

/** All answers are true. */
type LittleHelp = (honest: StatePort, questions: Questions) => Partial<StatePort>;

/** Joins from such a peer, the first of two. */
async function joinFrom(
  help: LittleHelp,
  more: Partial<Parameters<typeof startJoining>[2]> = {},
): Promise<{ asked: number; why: string }> {
  const questions = { asked: 0 };
  const peer = await startPeer(network, chain, help(statePortOf(chain), questions));
  const peers = [peer, await startPeer(network, chain)];
  const joining = await startJoining({ ledgers, network }, peers, { genesis, ...more });
  const newest = chain.ledger.head().header.number - 1;
  expect(await joining.run()).toBe(newest);
  await assertJoined({ ledgers, chain }, joining.url, newest);
  return { ...questions, why: whyLeft(joining.log.lines, peer) };
}

describe('a peer that is asked seldom beside another one', () => {
  it.each<[string, LittleHelp]>([
    [
      'gives the storage of one contract of many',
      (honest, questions) => ({
        ranges: async (question) => {
          if (question.questions.length > 1) questions.asked += 1;
          return honest.ranges({ ...question, questions: question.questions.slice(0, 1) });
        },
      }),
    ],
    [
      'gives one content of many, and says that it lacks the others',
      (honest, questions) => ({
        contents: async (question) => {
          if (question.hashes.length > 1) questions.asked += 1;
          return (await honest.contents(question)).map((content, at) => (at === 0 ? content : undefined));
        },
      }),
    ],
  ])('%s', async (_, help) => {
    const { asked, why } = await joinFrom(help);
    expect(why).toContain('it gave a few of many');
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(FEW_QUESTIONS);
  });

  it('gives all that is asked for, but late', async () => {
    const clock = new HastyClock();
    const { asked, why } = await joinFrom(
      (honest, questions) => {
        const late = () => {
          questions.asked += 1;
          clock.putForward(6_000);
        };
        return {
          ranges: async (question) => (late(), honest.ranges(question)),
          contents: async (question) => (late(), honest.contents(question)),
        };
      },
      { clock },
    );
    expect(why).toContain('it is slow');
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(FEW_QUESTIONS);
  });

  it('gives headers only to those who ask for one', async () => {
    for (let blocks = 0; blocks < 30; blocks++) await append(chain);
    const newest = async () => ({
      number: chain.ledger.head().header.number,
      hash: chain.ledger.head().hash,
    });
    const help: LittleHelp = (honest, questions) => ({
      headers: async (question) => {
        if (question.limit === 1) questions.asked += 1;
        return question.limit === 1 ? honest.headers(question) : [];
      },
    });
    const { asked, why } = await joinFrom(help, { newest });
    expect(why).toContain('it gave a few of many');
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(FEW_QUESTIONS);
  });
});
