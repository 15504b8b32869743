import { describe, expect, it } from '@jest/globals';
import { encodeHeader } from '@tetrad/node-block';
import type { StatePort } from '@tetrad/node-peer';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { eventually } from '../../peer/test/eventually.js';
import type { FakeNode } from '../../peer/test/fake-node.js';
import type { LoggedBlock } from '../src/index.js';
import { assertJoined } from './assert-joined.js';
import { useGrownChain } from './grown-chain.js';
import { append, startJoining, startPeer, statePortOf } from './joining-chain.js';

let chain: TestLedger;
const { ledgers, network, genesis } = useGrownChain((grown) => (chain = grown));

const newestOf = async ({ ledger }: TestLedger): Promise<LoggedBlock> => {
  const { hash, header } = ledger.head();
  return { number: header.number, hash };
};
const start = (peers: readonly FakeNode[], more: object = {}) =>
  startJoining({ ledgers, network }, peers, { genesis, newest: () => newestOf(chain), ...more });

/** Another chain of the same validators. */
async function forkOf(height: number): Promise<TestLedger> {
  const fork = await ledgers.open(await ledgers.freshUrl(), { genesis });
  for (let blocks = 0; blocks < height; blocks++) await append(fork);
  return fork;
}

describe('headers that a log leads to', () => {
  it('are taken, and the state of the one before the newest', async () => {
    const joining = await start([await startPeer(network, chain)]);
    expect(await joining.run()).toBe(5);
    await assertJoined({ ledgers, chain }, joining.url, 5);
  });

  it('are all that is left out: none while there is no log', async () => {
    const joining = await start([await startPeer(network, chain)], { newest: async () => undefined });
    expect(await joining.run()).toBeUndefined();
  });

  it.each<[string, (honest: StatePort, fork: StatePort) => StatePort['headers']]>([
    ['of a fork with seals', (_, fork) => fork.headers],
    [
      'of a fork below the newest one',
      (honest, fork) => async (question) =>
        question.from === 6 ? honest.headers(question) : fork.headers(question),
    ],
    [
      'that are not headers of the chain',
      ({ headers }) =>
        async (question) =>
          (await headers(question)).map(() => encodeHeader({ ...chain.ledger.head().header, gasUsed: 7n })),
    ],
  ])('are not taken from a peer with others: %s', async (_, attack) => {
    const fork = await forkOf(6);
    const headers = attack(statePortOf(chain), statePortOf(fork));
    const attacker = await startPeer(network, chain, { headers });
    const joining = await start([attacker, await startPeer(network, chain)]);
    expect(await joining.run()).toBe(5);
    await assertJoined({ ledgers, chain }, joining.url, 5);
  });

  it('end the joining where the database has others', async () => {
    const ended = new Error('ended');
    const peer = await startPeer(network, chain, { ranges: async () => [undefined] });
    const joining = await start([peer]);
    const running = joining.run().catch((error: unknown) => error);
    await eventually(() => joining.log.complaints('no longer at any peer') > 0);
    joining.ending.abort(ended);
    expect(await running).toBe(ended);
    const fork = await forkOf(8);
    const again = await start([await startPeer(network, fork)], {
      url: joining.url,
      newest: () => newestOf(fork),
    });
    await expect(again.run()).rejects.toThrow(
      'block 5 of this database is not the one that the log in etcd leads to',
    );
  });
});
