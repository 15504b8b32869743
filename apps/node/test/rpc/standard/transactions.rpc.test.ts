import { describe, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import { Wallet, getBytes, verifyMessage } from 'ethers';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { MISSING, useStandardChain, type StandardChain } from '../../standard-chain.js';

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

describe('transactions', () => {
  it('are found by hash and by position', async () => {
    const { block, transfer, token } = chain;
    const found = await check<Record<string, string>>('eth_getTransactionByHash', transfer);
    expect(found).toMatchObject({ hash: transfer, to: token, blockHash: block.hash, type: '0x0' });
    const index = found['transactionIndex'];
    expect(await check('eth_getTransactionByBlockHashAndIndex', block.hash, index)).toEqual(found);
    expect(await check('eth_getTransactionByBlockNumberAndIndex', block.number, index)).toEqual(found);
    expect(await check('eth_getTransactionByHash', MISSING)).toBeNull();
    expect(await check('eth_getTransactionReceipt', MISSING)).toBeNull();
    expect(await check<string>('debug_getRawTransaction', transfer)).toMatch(/^0xf8/);
  });

  it('have receipts that distinguish success and failure', async () => {
    const { transfer, failed, deployment, token } = chain;
    const receipt = await check<{ status: string; logs: { address: string; logIndex: string }[] }>(
      'eth_getTransactionReceipt',
      transfer,
    );
    expect(receipt.status).toBe('0x1');
    expect(receipt.logs).toMatchObject([{ address: token }]);
    expect(await check('eth_getTransactionReceipt', failed)).toMatchObject({
      status: '0x0',
      logs: [],
      contractAddress: null,
    });
    expect(await check('eth_getTransactionReceipt', deployment)).toMatchObject({
      contractAddress: token,
      to: null,
    });
  });

  it('are accepted raw, and refused with the texts that clients know', async () => {
    const wallet = new Wallet(Buffer.from(node.owners[0]?.privateKey ?? []).toString('hex'));
    const plain = {
      chainId: 1337,
      nonce: 0,
      gasLimit: 21_000,
      gasPrice: 0,
      to: chain.holder,
      value: 1,
      type: 0,
    };
    const raw = await wallet.signTransaction(plain);
    const hash = await check<string>('eth_sendRawTransaction', raw);
    expect(await node.mined(hash)).toMatchObject({ status: '0x1' });
    const again = await node.call('eth_sendRawTransaction', [raw]);
    expect(again.error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^(nonce too low|already known)/),
    });
    const foreign = await node.call('eth_sendRawTransaction', [
      await wallet.signTransaction({ ...plain, chainId: 5 }),
    ]);
    expect(reasonOf(foreign)).toBe('INVALID_CHAIN_ID');
    for (const [bytes, reason] of [
      ['0x', 'MALFORMED_TRANSACTION'],
      ['0xc3010203', 'MALFORMED_TRANSACTION'],
      ['0x03c0', 'UNSUPPORTED_TRANSACTION_TYPE'],
      [`${raw}00`, 'MALFORMED_TRANSACTION'],
    ]) {
      expect([bytes, reasonOf(await node.call('eth_sendRawTransaction', [bytes]))]).toEqual([bytes, reason]);
    }
  });

  it('and messages are signed with the accounts of the node', async () => {
    const [account] = node.accounts as readonly [Address];
    const signature = await check<string>('eth_sign', account, '0xdeadbeef');
    expect(verifyMessage(getBytes('0xdeadbeef'), signature).toLowerCase()).toBe(account);
    const request = {
      from: account,
      to: chain.holder,
      gas: '0x5208',
      gasPrice: '0x0',
      nonce: '0x3e8',
      value: '0x1',
    };
    const { raw } = await check<{ raw: string }>('eth_signTransaction', request);
    const { Transaction } = await import('ethers');
    expect(Transaction.from(raw).from?.toLowerCase()).toBe(account);
    expect(reasonOf(await node.call('eth_sign', [chain.holder, '0x00']))).toBe('UNKNOWN_ACCOUNT');
    for (const [missing, reason] of [
      ['gas', 'GAS_NOT_SPECIFIED'],
      ['gasPrice', 'GAS_PRICE_NOT_SPECIFIED'],
      ['nonce', 'NONCE_NOT_SPECIFIED'],
    ]) {
      expect(
        reasonOf(await node.call('eth_signTransaction', [{ ...request, [missing as string]: undefined }])),
      ).toBe(reason);
    }
  });

  it('that wait are shown by the pool', async () => {
    const [account] = node.accounts as readonly [Address];
    const nonce = Number(await node.result('eth_getTransactionCount', [account, 'pending'])) + 5;
    const waiting = { from: account, to: chain.holder, gas: '0x5208', nonce: `0x${nonce.toString(16)}` };
    const hash = await node.result<string>('eth_sendTransaction', [waiting]);
    expect(await check('txpool_content')).toMatchObject({ queued: { [account]: { [nonce]: { hash } } } });
    expect(await check('txpool_contentFrom', account)).toMatchObject({ queued: { [nonce]: { hash } } });
    expect(await check('txpool_inspect')).toMatchObject({
      queued: { [account]: { [nonce]: expect.stringContaining('21000 gas') } },
    });
    expect(await check('txpool_status')).toMatchObject({ queued: '0x1' });
    expect(await check('eth_getTransactionByHash', hash)).toMatchObject({ blockHash: null });
  });
});
