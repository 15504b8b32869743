import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Wallet } from 'ethers';
import { validateExecutionApiResult } from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';

const RECIPIENT = `0x${'cd'.repeat(20)}`;

let mining: RunningNode;
let idle: RunningNode;
beforeAll(async () => {
  // The second one's first block is due in an hour: its pool stays as it is.
  [mining, idle] = [
    await startNode(),
    await startNode(['--block-period', '1h', '--rpc-request-timeout', '4s']),
  ];
});
afterAll(async () => {
  await mining.stop();
  await idle.stop();
});

async function check<T>(method: string, ...params: unknown[]): Promise<T> {
  const result = await (method === 'eth_sendRawTransactionSync' ? mining : idle).result<T>(method, params);
  validateExecutionApiResult(method, result);
  return result;
}

function sign(node: RunningNode, nonce: number): Promise<string> {
  const wallet = new Wallet(Buffer.from(node.owners[0]?.privateKey ?? []).toString('hex'));
  const plain = { chainId: 1337, nonce, gasLimit: 21_000, gasPrice: 0, to: RECIPIENT, value: 1, type: 0 };
  return wallet.signTransaction(plain);
}

describe('eth_sendRawTransactionSync', () => {
  it('answers with the receipt', async () => {
    const receipt = await check<{ status: string; to: string; transactionHash: string }>(
      'eth_sendRawTransactionSync',
      await sign(mining, 0),
      '0x4e20',
    );
    expect(receipt).toMatchObject({ status: '0x1', to: RECIPIENT });
    expect(await mining.result('eth_getTransactionReceipt', [receipt.transactionHash])).toEqual(receipt);
  });

  it.each([
    ['asked for', 0, 50],
    ['that any call may take', 2, 60_000],
  ])(
    'answers with code 4 and the hash when the time %s is over, and the transaction stays',
    async (_what, nonce, ms) => {
      const { error } = await idle.call('eth_sendRawTransactionSync', [await sign(idle, nonce), ms]);
      expect(error).toMatchObject({ code: 4, data: expect.stringMatching(/^0x[0-9a-f]{64}$/) as unknown });
      expect(await idle.result('eth_getTransactionByHash', [error?.data])).toMatchObject({ blockHash: null });
    },
  );

  it('refuses as eth_sendRawTransaction does, at once', async () => {
    expect(reasonOf(await mining.call('eth_sendRawTransactionSync', [await sign(mining, 0)]))).toBe(
      'NONCE_TOO_LOW',
    );
    expect(reasonOf(await mining.call('eth_sendRawTransactionSync', ['0x1234']))).toBe(
      'UNSUPPORTED_TRANSACTION_TYPE',
    );
    expect((await mining.call('eth_sendRawTransactionSync', ['0x', -1])).error).toMatchObject({
      code: -32602,
      data: { field: 'timeout' },
    });
  });
});

describe('transactions of own accounts in the pool', () => {
  it('are listed, and those of other accounts are not', async () => {
    const [from] = idle.accounts;
    await idle.result('eth_sendRawTransaction', [await sign(idle, 1)]);
    const hash = await idle.result('eth_sendTransaction', [
      { from, to: RECIPIENT, value: '0x1', gas: '0x5208' },
    ]);
    expect(await check('eth_pendingTransactions')).toMatchObject([{ hash, from, blockHash: null }]);
  });

  it('are sent again at another price, and replace the first', async () => {
    const from = idle.accounts[1];
    const transaction = { from, to: RECIPIENT, value: '0x2', gas: '0x5208', nonce: '0x0' };
    const first = await idle.result('eth_sendTransaction', [transaction]);
    const second = await check<string>('eth_resend', transaction, '0x7', '0x6000');
    expect(await idle.result('eth_getTransactionByHash', [first])).toBeNull();
    expect(await idle.result('eth_getTransactionByHash', [second])).toMatchObject({
      nonce: '0x0',
      value: '0x2',
      gasPrice: '0x7',
      gas: '0x6000',
      from,
    });
  });

  it.each([
    ['has no nonce', {}, 'NONCE_NOT_SPECIFIED'],
    ['is not in the pool', { nonce: '0x5' }, 'TRANSACTION_NOT_FOUND'],
    ['does something else than the one in the pool', { nonce: '0x0', value: '0x3' }, 'TRANSACTION_NOT_FOUND'],
    ['is of an account that the node does not hold', { from: RECIPIENT, nonce: '0x0' }, 'UNKNOWN_ACCOUNT'],
  ])('are not sent again when the request %s', async (_what, change, reason) => {
    const transaction = { from: idle.accounts[1], to: RECIPIENT, value: '0x2', ...change };
    expect(reasonOf(await idle.call('eth_resend', [transaction, '0x9']))).toBe(reason);
  });
});
