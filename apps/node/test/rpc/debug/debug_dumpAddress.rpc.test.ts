import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

/** Init code: SSTORE(1, 42), then return the one byte 0x00 as code. */
const STORES_42 = '0x602a60015560016000f3';

let node: RunningNode;
let contract: string;
beforeAll(async () => {
  node = await startNode();
  const hash = await node.result<string>('eth_sendTransaction', [
    { from: node.accounts[0], data: STORES_42, gas: '0x30d40' },
  ]);
  contract = (await node.mined(hash)).contractAddress;
}, 60_000);
afterAll(() => node.stop());

describe('debug_dumpAddress', () => {
  it('shows everything of a contract, its storage by slot', async () => {
    const dump = await node.result<Record<string, unknown>>('debug_dumpAddress', [contract, 'latest']);
    const { storageHash, codeHash } = await node.result<Record<string, string>>('eth_getProof', [
      contract,
      [],
      'latest',
    ]);
    expect(dump).toEqual({
      balance: '0',
      nonce: 1,
      root: (storageHash as string).slice(2),
      codeHash: (codeHash as string).slice(2),
      code: '00',
      storage: { [`0x${'00'.repeat(31)}01`]: '2a' },
    });
  });

  it('shows the balance in decimal', async () => {
    const dump = await node.result('debug_dumpAddress', [node.owners[3]?.address, 0]);
    expect(dump).toMatchObject({ balance: (10n ** 24n).toString(), nonce: 0, code: '', storage: {} });
  });

  it('refuses an account and a block that are not there', async () => {
    expect(reasonOf(await node.call('debug_dumpAddress', [`0x${'99'.repeat(20)}`, 'latest']))).toBe(
      'STATE_OBJECT_NOT_FOUND',
    );
    expect(reasonOf(await node.call('debug_dumpAddress', [contract, 16_777_215]))).toBe('BLOCK_NOT_FOUND');
  });

  it('names a bad parameter', async () => {
    expect((await node.call('debug_dumpAddress', [contract])).error).toMatchObject({
      code: -32602,
      data: { field: 'blockNumber' },
    });
    expect((await node.call('debug_dumpAddress', [contract, -1])).error).toMatchObject({
      code: -32602,
      data: { field: 'blockNumber' },
    });
  });
});
