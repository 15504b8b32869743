import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningNode } from '../../running-node.js';
import { addressOf, startOnChain } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startOnChain({ engine: 'qbft', blocks: 'A' }, [
    ...['--rpc-alias', 'istanbul=ibft'],
    ...['--http-api', 'eth,ibft'],
  ]);
}, 120_000);
afterAll(() => node.stop());

describe('ibft_nodeAddress', () => {
  it('is the address of the node key, in lower case', async () => {
    expect(await node.result('ibft_nodeAddress')).toBe(addressOf('A'));
  });

  it('answers under the name that clients of other nodes know, when that is asked for', async () => {
    expect(await node.result('istanbul_nodeAddress')).toBe(addressOf('A'));
    expect(await node.result('istanbul_getValidators', ['latest'])).toHaveLength(4);
  });

  it('takes no parameters', async () => {
    expect((await node.call('ibft_nodeAddress', [true])).error?.code).toBe(-32602);
  });
});
