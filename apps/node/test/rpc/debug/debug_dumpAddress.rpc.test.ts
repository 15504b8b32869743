import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getCreateAddress } from 'ethers/address';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

/** Init code: SSTORE(1, 42), then return the one byte 0x00 as code. */
const STORES_42 = '0x602a60015560016000f3';

/** The same, and SSTORE(2, 42). */
const STORES_TWICE = '0x602a600155602a60025560016000f3';

let node: RunningNode;
let contract: string;
beforeAll(async () => {
  node = await startNode();
  const hash = await node.result<string>('eth_sendTransaction', [
    { from: node.accounts[0], data: STORES_42, gas: '0x30d40' },
  ]);
  contract = (await node.mined(hash)).contractAddress;
});
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

  it('refuses an unknown account and an unknown block', async () => {
    const account = await node.call('debug_dumpAddress', [`0x${'99'.repeat(20)}`, 'latest']);
    expect(reasonOf(account)).toBe('STATE_OBJECT_NOT_FOUND');
    expect(account.error?.message).toBe('error retrieving state');
    const block = await node.call('debug_dumpAddress', [contract, 16_777_215]);
    expect(reasonOf(block)).toBe('BLOCK_NOT_FOUND');
    expect(block.error?.message).toBe('block #16777215 not found');
  });

  it('shows the pending state, including storage', async () => {
    const slow = await startNode(['--block-period', '3600s']);
    try {
      const [from] = slow.accounts;
      // The first block is due at once; what comes after it waits for an hour.
      while ((await slow.result('eth_blockNumber')) === '0x0') await setTimeout(20);
      const nonce = await slow.result<string>('eth_getTransactionCount', [from, 'latest']);
      await slow.result('eth_sendTransaction', [{ from, data: STORES_42, gas: '0x30d40' }]);
      const created = getCreateAddress({ from: from as string, nonce: BigInt(nonce) });
      let answer = await slow.call('debug_dumpAddress', [created, 'pending']);
      while (answer.error !== undefined) {
        await setTimeout(20);
        answer = await slow.call('debug_dumpAddress', [created, 'pending']);
      }
      expect(answer.result).toMatchObject({
        nonce: 1,
        code: '00',
        storage: { [`0x${'00'.repeat(31)}01`]: '2a' },
      });
      expect(reasonOf(await slow.call('debug_dumpAddress', [created, 'latest']))).toBe(
        'STATE_OBJECT_NOT_FOUND',
      );
    } finally {
      await slow.stop();
    }
  });

  it('refuses an account with more storage than it shows', async () => {
    const strict = await startNode(['--rpc-max-dump-slots', '1']);
    try {
      const deploy = async (data: string) => {
        const sent = { from: strict.accounts[0], data, gas: '0x30d40' };
        return (await strict.mined(await strict.result('eth_sendTransaction', [sent]))).contractAddress;
      };
      const [one, two] = [await deploy(STORES_42), await deploy(STORES_TWICE)];
      expect(await strict.result('debug_dumpAddress', [one, 'latest'])).toHaveProperty('storage');
      const answer = await strict.call('debug_dumpAddress', [two, 'latest']);
      expect(reasonOf(answer)).toBe('STORAGE_TOO_LARGE');
      expect(answer.error?.message).toBe('the account has more than 1 storage slots');
    } finally {
      await strict.stop();
    }
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
