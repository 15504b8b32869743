import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
/** Init code: SSTORE(1, 42), then return no code. */
const STORES_42 = '0x602a60015560006000f3';

let node: RunningNode;
let contract: string;
let block: string;
beforeAll(async () => {
  node = await startNode();
  const hash = await node.result<string>('eth_sendTransaction', [
    { from: node.accounts[0], data: STORES_42, gas: '0x30d40' },
  ]);
  const receipt = await node.mined(hash);
  contract = receipt.contractAddress;
  block = receipt.blockNumber;
});
afterAll(() => node.stop());

describe('eth_storageRoot', () => {
  it('is the root that the account proof shows', async () => {
    const { storageHash } = await node.result<{ storageHash: string }>('eth_getProof', [
      contract,
      [],
      'latest',
    ]);
    expect(storageHash).not.toBe(EMPTY_ROOT);
    expect(await node.result('eth_storageRoot', [contract])).toBe(storageHash);
    expect(await node.result('eth_storageRoot', [contract, block])).toBe(storageHash);
    expect(await node.result('eth_storageRoot', [contract, Number(block)])).toBe(storageHash);
  });

  it('is the empty root for an account without storage', async () => {
    expect(await node.result('eth_storageRoot', [node.accounts[0], 'latest'])).toBe(EMPTY_ROOT);
  });

  it('refuses an unknown account', async () => {
    const unknown = await node.call('eth_storageRoot', [`0x${'99'.repeat(20)}`]);
    expect(reasonOf(unknown)).toBe('STATE_OBJECT_NOT_FOUND');
    expect(unknown.error?.message).toBe("can't find state object");
    expect(reasonOf(await node.call('eth_storageRoot', [contract, '0x0']))).toBe('STATE_OBJECT_NOT_FOUND');
  });

  it('refuses an unknown block, and the pending one, which has no root', async () => {
    const unknown = await node.call('eth_storageRoot', [contract, '0xffffff']);
    expect(reasonOf(unknown)).toBe('BLOCK_NOT_FOUND');
    const pending = await node.call('eth_storageRoot', [contract, 'pending']);
    expect(reasonOf(pending)).toBe('INVALID_BLOCK_NUMBER');
    for (const { error } of [unknown, pending]) expect(error?.message).toBe('invalid block number');
  });

  it('names a bad parameter', async () => {
    expect((await node.call('eth_storageRoot', ['0x12'])).error).toMatchObject({
      code: -32602,
      data: { field: 'address' },
    });
    expect((await node.call('eth_storageRoot', [contract, 'newest'])).error).toMatchObject({
      code: -32602,
      data: { field: 'block' },
    });
  });
});
