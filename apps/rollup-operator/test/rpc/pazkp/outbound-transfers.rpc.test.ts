import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountHolder } from '../../account-holder.js';
import { TOKEN, blockHash, startOperator, type RunningOperator } from '../../running-operator.js';

let operator: RunningOperator;
const alice = new AccountHolder(1, 1);
const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
const OTHER = '0x0fbdc686b912d7722dc86510934589e0aaf3b55a';

beforeAll(async () => {
  operator = await startOperator();
  await operator.result('pazkp_createAccount', alice.registration());
  await operator.deposit(1, TOKEN, 100n);
  await operator.finalize();
  const [first] = await operator.store.listReceivedOrders({
    toAccountId: 1,
    fromTotalIndex: 0,
    upToHeight: 9,
    limit: 1,
  });
  if (first === undefined) throw new Error('no order');
  await operator.result('pazkp_redeemMoneyOrder', alice.redemption(first.order, first.totalIndex, 1));
  await operator.finalize();
});
afterAll(() => operator.stop());

const send = (params: readonly unknown[]) =>
  operator.result<{ operationHash: string }>('pazkp_createOutboundTransfer', params);
const find = (...params: unknown[]) => operator.result('pazkp_findOutboundTransfer', params);
const at = (params: readonly unknown[], index: number, value: unknown) =>
  params.map((param, place) => (place === index ? value : param));

describe('pazkp_createOutboundTransfer and pazkp_findOutboundTransfer', () => {
  it('pay a balance to an address, once the batch is on the chain', async () => {
    const { operationHash } = await send(alice.transfer(ADDRESS, TOKEN, 60n, 2));
    const transfer = { fromAccountId: 1, toEthereumAddress: ADDRESS, tokenId: TOKEN, amount: 60, nonce: 2 };
    expect(await find(1, operationHash)).toEqual({
      ...transfer,
      operationHash,
      status: 'PENDING',
      rejectionReason: null,
      batchHeight: null,
      batchStateRootHash: null,
      blockNumber: null,
      blockHash: null,
    });
    const height = await operator.finalize();
    expect(await find(operationHash)).toMatchObject({
      ...transfer,
      status: 'EXECUTED',
      batchHeight: height,
      blockNumber: 100 + height,
      blockHash: blockHash(100 + height),
    });
    expect(await operator.result('pazkp_getAccountState', [1])).toMatchObject({ balances: { 1: 40 } });
  });

  it('report a balance that is too low, and try it again when it comes again', async () => {
    const params = alice.transfer(ADDRESS, TOKEN, 41n, 3);
    const { operationHash } = await send(params);
    await operator.execute();
    const rejected = { status: 'REJECTED', rejectionReason: 'BALANCE_TOO_LOW', batchHeight: null };
    expect(await find(operationHash)).toMatchObject(rejected);
    expect(await send(params)).toEqual({ operationHash });
    expect(await find(operationHash)).toMatchObject({ status: 'PENDING', rejectionReason: null });
    await operator.execute();
    expect(await find(operationHash)).toMatchObject(rejected);
  });

  it.each([
    [
      'an unknown account',
      () => new AccountHolder(77, 1).transfer(ADDRESS, TOKEN, 1n, 3),
      'ROLLUP_ACCOUNT_NOT_FOUND',
    ],
    ['an unknown token', () => alice.transfer(ADDRESS, 5, 1n, 3), 'UNKNOWN_TOKEN'],
    ['a nonce far above', () => alice.transfer(ADDRESS, TOKEN, 1n, 1_003), 'NONCE_TOO_HIGH'],
    [
      'another address than was signed',
      () => at(alice.transfer(ADDRESS, TOKEN, 1n, 3), 1, OTHER),
      'INVALID_ACCOUNT_SIGNATURE',
    ],
    [
      'an address of the wrong length',
      () => at(alice.transfer(ADDRESS, TOKEN, 1n, 3), 1, '0x01'),
      'INVALID_PARAMS',
    ],
    ['an address as a number', () => at(alice.transfer(ADDRESS, TOKEN, 1n, 3), 1, 1), 'INVALID_PARAMS'],
    ['no signature', () => at(alice.transfer(ADDRESS, TOKEN, 1n, 3), 5, null), 'INVALID_PARAMS'],
  ])('refuse %s', async (_, params, reason) => {
    expect(await operator.rejection('pazkp_createOutboundTransfer', params())).toBe(reason);
  });

  it('give null for an unknown hash', async () => {
    expect(await find(`0x${'0c'.repeat(32)}`)).toBeNull();
  });
});

describe('pazkp_listOutboundTransferCreations', () => {
  const list = (...params: unknown[]) =>
    operator.result<{ hasMoreResults: boolean; items: { amount: number }[] }>(
      'pazkp_listOutboundTransferCreations',
      params,
    );

  it('lists by nonce, with filters', async () => {
    for (const nonce of [3, 4, 5])
      await send(alice.transfer(nonce === 4 ? OTHER : ADDRESS, TOKEN, BigInt(nonce), nonce));
    await operator.execute();
    const all = await list(0, 100, 1, null, null, null, null);
    expect(all.items.map(({ amount }) => amount)).toEqual([60, 41, 3, 4, 5]);
    expect(await list(4, 1, 1, null, null, null, null)).toEqual({
      hasMoreResults: true,
      items: all.items.slice(3, 4),
    });
    // The second and the third have one nonce, and are on one page.
    expect(await list(0, 2, 1, null, null, null, null)).toEqual({
      hasMoreResults: true,
      items: all.items.slice(0, 1),
    });
    expect(await list(3, 1, 1, null, null, null, null)).toEqual({
      hasMoreResults: true,
      items: all.items.slice(1, 3),
    });
    expect((await list(0, 100, 1, OTHER, null, null, null)).items).toEqual(all.items.slice(3, 4));
    expect((await list(0, 100, 1, null, 'REJECTED', null, null)).items).toEqual(all.items.slice(1, 2));
    expect((await list(0, 100, 1, null, null, 4, 41)).items.map(({ amount }) => amount)).toEqual([41, 4, 5]);
  });

  it('refuses an unknown account', async () => {
    const params = [0, 10, 77, null, null, null, null];
    expect(await operator.rejection('pazkp_listOutboundTransferCreations', params)).toBe(
      'ROLLUP_ACCOUNT_NOT_FOUND',
    );
  });
});
