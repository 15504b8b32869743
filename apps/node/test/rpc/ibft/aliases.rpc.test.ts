import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningNode } from '../../running-node.js';
import { addressOf, startOnChain } from '../../validator-chain.js';

describe('the original names', () => {
  let node: RunningNode;
  beforeAll(async () => {
    const flags = [
      '--rpc-alias',
      'istanbul=ibft,quorumPermission=chainPermission,eth_height=eth_blockNumber',
    ];
    node = await startOnChain({ engine: 'qbft', blocks: 'A, D:+E' }, flags);
  });
  afterAll(() => node.stop());

  it('of the signers of a block return the original keys, by number and by hash', async () => {
    const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', ['0x2', false]);
    const Committers = (['A', 'B', 'C'] as const).map(addressOf);
    const original = { Number: 2, Hash: hash, Author: addressOf('D'), Committers };
    expect(await node.result('istanbul_getSignersFromBlock', ['0x2'])).toEqual(original);
    expect(await node.result('istanbul_getSignersFromBlockByHash', [hash])).toEqual(original);
    expect(await node.result('ibft_getSignersFromBlockByHash', [hash])).toMatchObject({ number: 2, hash });
  });

  it('are modules too, where the aliased module is served', async () => {
    const modules = await node.result<Record<string, string>>('rpc_modules');
    expect(modules).toMatchObject({ ibft: '1.0', istanbul: '1.0' });
    expect(Object.keys(modules)).not.toContain('quorumPermission');
    expect(Object.keys(modules)).not.toContain('eth_height');
  });

  it('are in errors as the client wrote them', async () => {
    expect((await node.call('istanbul_nothing')).error).toMatchObject({
      code: -32601,
      message: 'the method istanbul_nothing does not exist/is not available',
    });
    expect((await node.call('quorumPermission_orgList')).error?.message).toContain(
      'quorumPermission_orgList',
    );
  });
});
