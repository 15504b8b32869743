import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transaction } from 'ethers/transaction';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

const RECIPIENT = `0x${'ab'.repeat(20)}`;

let node: RunningNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node.stop());

interface Filled {
  readonly raw: string;
  readonly tx: Readonly<Record<string, string>>;
}

describe('eth_fillTransaction', () => {
  it('fills in nonce, gas and price of a transfer and leaves the signature out', async () => {
    const { raw, tx } = await node.result<Filled>('eth_fillTransaction', [
      { from: RECIPIENT, to: RECIPIENT, value: '0x0' },
    ]);
    expect(tx).toMatchObject({
      nonce: '0x0',
      gas: '0x5208',
      gasPrice: '0x0',
      value: '0x0',
      input: '0x',
      r: '0x0',
      s: '0x0',
    });
    expect(raw).toMatch(/^0x[0-9a-f]+$/);
  });

  it('returns a transaction that can be signed elsewhere and sent', async () => {
    const { tx } = await node.result<Filled>('eth_fillTransaction', [
      { from: node.owners[0]?.address, to: RECIPIENT, value: '0x9' },
    ]);
    const { Wallet } = await import('ethers');
    const wallet = new Wallet(Buffer.from(node.owners[0]?.privateKey ?? []).toString('hex'));
    const signed = await wallet.signTransaction(
      Transaction.from({
        type: 0,
        chainId: 1337,
        nonce: Number(tx['nonce']),
        gasLimit: tx['gas'] as string,
        gasPrice: tx['gasPrice'] as string,
        to: tx['to'] as string,
        value: tx['value'] as string,
      }),
    );
    const hash = await node.result<string>('eth_sendRawTransaction', [signed]);
    expect(await node.mined(hash)).toMatchObject({ status: '0x1' });
  });

  it.each([
    ['EMPTY_CONTRACT_CREATION', {}],
    ['INVALID_CHAIN_ID', { to: RECIPIENT, chainId: '0x1' }],
    ['INSUFFICIENT_FUNDS', { to: RECIPIENT, value: `0x${'f'.repeat(30)}`, gasPrice: '0x1' }],
    ['EXECUTION_FAILED', { to: RECIPIENT, value: `0x${'f'.repeat(30)}` }],
    ['TIP_ABOVE_FEE_CAP', { to: RECIPIENT, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }],
    [
      'PRIVACY_NOT_AVAILABLE',
      { to: RECIPIENT, privateFor: ['QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc='] },
    ],
  ])('refuses with %s', async (reason, transaction) => {
    const answer = await node.call('eth_fillTransaction', [{ from: node.accounts[0], ...transaction }]);
    expect(reasonOf(answer)).toBe(reason);
  });

  it('reports why gas cannot be estimated', async () => {
    // Init code that reverts at once.
    const { error } = await node.call('eth_fillTransaction', [
      { from: node.accounts[0], data: '0x60006000fd' },
    ]);
    expect(error).toMatchObject({ code: 3, message: 'execution reverted', data: '0x' });
  });

  it('needs the sender', async () => {
    const { error } = await node.call('eth_fillTransaction', [{ to: RECIPIENT }]);
    expect(error).toMatchObject({ code: -32602, data: { field: 'transaction.from' } });
  });
});
