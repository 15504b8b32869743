import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { validateExecutionApiResult } from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';
import { blockOfAll, heightOf, pass, startMember, connect } from '../../validator-network.js';

const modules = 'eth,net,web3,txpool,rpc,debug,admin,ibft,miner';

let lone: RunningNode;
async function check(method: string): Promise<void> {
  const result = await lone.result(method);
  validateExecutionApiResult(method, result);
}

describe('a validator after miner_stop', () => {
  let nodes: RunningNode[];
  beforeAll(async () => {
    nodes = [];
    for (const name of ['A', 'B', 'C', 'D'] as const)
      nodes.push(await startMember({ engine: 'qbft', requestTimeoutSeconds: 1 }, name, { modules }));
    await connect(nodes);
    await pass(nodes[0] as RunningNode, 1);
  });
  afterAll(() => Promise.all(nodes.map((node) => node.stop())));

  it('no longer proposes and votes, and follows; after miner_start it does both again', async () => {
    const [one, other] = nodes as [RunningNode, RunningNode, RunningNode, RunningNode];
    const address = await one.result<string>('ibft_nodeAddress');
    await one.result('miner_stop');
    expect(await one.result('eth_mining')).toBe(false);
    await until(() => other.result<boolean>('eth_mining'));
    // What it had sent before may still be in the next block.
    const from = (await heightOf(other)) + 2;
    await until(async () => (await heightOf(other)) >= from + 6);
    await blockOfAll(nodes, from + 6);
    for (let height = from; height <= from + 6; height++) {
      const { author, committers } = await other.result<{ author: string; committers: string[] }>(
        'ibft_getSignersFromBlock',
        [height],
      );
      expect([author, ...committers]).not.toContain(address);
    }
    const readiness = async ({ opsUrl }: RunningNode) => (await fetch(`${opsUrl}/readyz`)).status;
    await until(async () => (await readiness(one)) === (await readiness(other)));

    await one.result('miner_start', [1]);
    expect(await one.result('eth_mining')).toBe(true);
    await until(async () => {
      const { committers } = await other.result<{ committers: string[] }>('ibft_getSignersFromBlock', []);
      return committers.includes(address);
    });
  });
});

describe('a single validator', () => {
  beforeAll(async () => {
    lone = await startNode([], { modules });
  });
  afterAll(() => lone.stop());

  it('makes no block while it is stopped, and continues afterwards', async () => {
    await check('miner_stop');
    await check('miner_stop');
    const height = await heightOf(lone);
    const [from] = lone.accounts;
    const hash = await lone.result<string>('eth_sendTransaction', [{ from, to: from, gas: '0x5208' }]);
    // Several periods, in which a validator that went on would have made blocks; the next one shows that it did not.
    await new Promise((tick) => setTimeout(tick, 500));
    expect(await lone.result('eth_getTransactionReceipt', [hash])).toBeNull();
    await check('miner_start');
    await check('miner_start');
    const { blockNumber } = await lone.mined(hash);
    expect(Number(blockNumber)).toBe(height + 1);
  });

  it('cannot be made of a node that was started as a follower', async () => {
    const follower = await startNode(['--validator', 'false'], { modules });
    try {
      expect(await follower.result('miner_stop')).toBeNull();
      expect(reasonOf(await follower.call('miner_start'))).toBe('CONSENSUS_NOT_AVAILABLE');
      expect(await follower.result('eth_mining')).toBe(false);
    } finally {
      await follower.stop();
    }
  });
});
