import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNode, type RunningNode } from '../../running-node.js';
import { addressOf, keyOf, startOnChain } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'qbft', blocks: 'A' }, [
    ...['--rpc-alias', 'istanbul=ibft'],
    ...['--http-api', 'eth,ibft'],
  ]);
});
afterAll(() => node.stop());

describe('ibft_nodeAddress', () => {
  it('is the address of the node key, in lower case', async () => {
    expect(await node.result('ibft_nodeAddress')).toBe(addressOf('A'));
  });

  it('answers under the name that clients of other nodes use, when that is configured', async () => {
    expect(await node.result('istanbul_nodeAddress')).toBe(addressOf('A'));
    expect(await node.result('istanbul_getValidators', ['latest'])).toHaveLength(4);
  });

  it('is also the address of a node that is not a validator', async () => {
    const follower = await startNode([], { nodeKey: keyOf('E') });
    const answers = [await follower.call('ibft_nodeAddress'), await follower.call('ibft_isValidator')];
    await follower.stop();
    expect(answers).toMatchObject([{ result: addressOf('E') }, { result: false }]);
  });

  it('is refused where the module is not exposed', async () => {
    const closed = await startNode([], { modules: 'eth' });
    const { error } = await closed.call('ibft_nodeAddress');
    await closed.stop();
    expect(error?.code).toBe(-32601);
  });

  it('takes no parameters', async () => {
    expect((await node.call('ibft_nodeAddress', [true])).error?.code).toBe(-32602);
  });
});
