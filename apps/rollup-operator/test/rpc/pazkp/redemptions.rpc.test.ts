import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeWord } from '@tetrad/rollup-crypto';
import { rootOfPath } from '@tetrad/rollup-state';
import type { StoredMoneyOrder } from '@tetrad/rollup-store';
import { bytesFromHex } from '@tetrad/types';
import { AccountHolder } from '../../account-holder.js';
import { TOKEN, startOperator, type RunningOperator } from '../../running-operator.js';

let operator: RunningOperator;
const [alice, bob] = [new AccountHolder(1, 1), new AccountHolder(2, 2)];
/** Orders for Alice: of three deposits. */
let orders: StoredMoneyOrder[];

beforeAll(async () => {
  operator = await startOperator();
  await operator.result('pazkp_createAccount', alice.registration());
  await operator.result('pazkp_createAccount', bob.registration());
  for (const amount of [10n, 20n, 30n, 40n]) await operator.deposit(1, TOKEN, amount);
  await operator.finalize();
  orders = await operator.store.listReceivedOrders({
    toAccountId: 1,
    fromTotalIndex: 0,
    upToHeight: 9,
    limit: 9,
  });
});
afterAll(() => operator.stop());

const orderAt = (place: number) => orders[place] as StoredMoneyOrder;
const redemption = (place: number, nonce: number, proof: unknown = null) =>
  alice.redemption(orderAt(place).order, orderAt(place).totalIndex, nonce, proof);
const redeem = (params: readonly unknown[]) =>
  operator.result<{ operationHash: string }>('pazkp_redeemMoneyOrder', params);
const rejection = (params: readonly unknown[]) => operator.rejection('pazkp_redeemMoneyOrder', params);
const find = (hash: string) => operator.result('pazkp_findMoneyOrderRedemption', [1, hash]);
const at = (params: readonly unknown[], index: number, value: unknown) =>
  params.map((param, place) => (place === index ? value : param));

describe('pazkp_redeemMoneyOrder', () => {
  it.each([
    [
      'an order that is not there',
      () => alice.redemption(orderAt(0).order, 2 ** 47, 1),
      'MONEY_ORDER_NOT_FOUND',
    ],
    [
      'another amount',
      () => alice.redemption({ ...orderAt(0).order, amount: 11n }, orderAt(0).totalIndex, 1),
      'MONEY_ORDER_NOT_FOUND',
    ],
    [
      'the order of another',
      () => bob.redemption({ ...orderAt(0).order, toAccountId: 2 }, orderAt(0).totalIndex, 1),
      'MONEY_ORDER_NOT_FOUND',
    ],
    ['an order after one that is open', () => redemption(1, 1), 'EARLIER_MONEY_ORDER_OPEN'],
    ['an unknown account', () => at(redemption(0, 1), 1, 77), 'ROLLUP_ACCOUNT_NOT_FOUND'],
    ['an unknown token', () => at(redemption(0, 1), 2, 9), 'UNKNOWN_TOKEN'],
    ['a nonce far above', () => redemption(0, 1_001), 'NONCE_TOO_HIGH'],
    ['another nonce than was signed', () => at(redemption(0, 1), 6, 2), 'INVALID_ACCOUNT_SIGNATURE'],
    ['another factor', () => at(redemption(0, 1), 8, `0x${'02'.repeat(32)}`), 'INVALID_ENCRYPTION'],
    ['no ciphertext', () => at(redemption(0, 1), 7, '0x'), 'INVALID_ENCRYPTION'],
    ['an empty proof', () => redemption(0, 1, '0x'), 'INVALID_MERKLE_PROOF'],
    [
      'a wrong proof',
      () =>
        redemption(
          0,
          1,
          Array.from({ length: 12 }, () => `0x${'00'.repeat(32)}`),
        ),
      'INVALID_MERKLE_PROOF',
    ],
    [
      'a proof of no field elements',
      () =>
        redemption(
          0,
          1,
          Array.from({ length: 12 }, () => `0x${'ff'.repeat(32)}`),
        ),
      'INVALID_MERKLE_PROOF',
    ],
    ['a long proof', () => redemption(0, 1, `0x${'00'.repeat(32 * 500)}`), 'INVALID_MERKLE_PROOF'],
    ['an invalid proof', () => redemption(0, 1, '0x00'), 'INVALID_PARAMS'],
    ['an index of seven bytes', () => at(redemption(0, 1), 5, 2 ** 48), 'INVALID_PARAMS'],
  ])('refuses %s', async (_, params, reason) => {
    expect(await rejection(params())).toBe(reason);
  });

  it('makes balance of orders in their sequence, with the proof that the order was given with', async () => {
    const received = await operator.result('pazkp_findReceivedMoneyOrder', [1, orderAt(0).totalIndex]);
    const { operationHash } = await redeem(redemption(0, 1, received['merkleProof']));
    const joined = `0x${(received['merkleProof'] as string[]).map((one) => one.slice(2)).join('')}`;
    // Before the first is executed: that one is then not an earlier order that is still open.
    const second = await redeem(redemption(1, 2));
    expect(await find(operationHash)).toMatchObject({ status: 'PENDING', batchHeight: null });
    await operator.execute();
    expect(await find(second.operationHash)).toMatchObject({ status: 'EXECUTED' });
    expect(await rejection(redemption(0, 3, joined))).toBe('MONEY_ORDER_ALREADY_REDEEMED');
    const height = await operator.finalize();
    const found = await find(operationHash);
    expect(found).toMatchObject({
      operationHash,
      nonce: 1,
      status: 'EXECUTED',
      moneyOrderTotalIndex: orderAt(0).totalIndex,
      batchHeight: height,
      blockNumber: 100 + height,
      merkleProof: received['merkleProof'],
      moneyOrder: { fromAccountId: 0, toAccountId: 1, tokenId: TOKEN, amount: 10 },
    });
    const path = (found['merkleProof'] as string[]).map((one) => decodeWord(bytesFromHex(one)));
    const { batchHeight } = received as { batchHeight: number };
    expect(rootOfPath(orderAt(0).hash, orderAt(0).totalIndex % 65_536, path)).toBe(
      (await operator.store.findBatch(batchHeight))?.roots?.orders,
    );
    const state = await operator.result('pazkp_getAccountState', [1]);
    expect(state).toMatchObject({ balances: { 1: 30 }, redemptionIndex: orderAt(1).totalIndex, nonce: 2 });
  });

  it('leaves to execution what operations before it decide', async () => {
    // Unless nonce 3 redeems the third order, the fourth would forfeit it.
    const fourth = await redeem(redemption(3, 4));
    await operator.execute();
    expect(await find(fourth.operationHash)).toMatchObject({ status: 'PENDING' });
    const filler = alice.transfer('0xca843569e3427144cead5e4d5999a3d0ccf92b8e', TOKEN, 1n, 3);
    await operator.result('pazkp_createOutboundTransfer', filler);
    await operator.execute();
    expect(await find(fourth.operationHash)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'EARLIER_MONEY_ORDER_OPEN',
      batchHeight: null,
    });
    const third = await redeem(redemption(2, 4));
    await operator.execute();
    expect(await find(third.operationHash)).toMatchObject({ status: 'EXECUTED' });
  });
});

describe('pazkp_findMoneyOrderRedemption', () => {
  it('gives null for an unknown hash', async () => {
    expect(await find(`0x${'0b'.repeat(32)}`)).toBeNull();
    expect(await operator.rejection('pazkp_findMoneyOrderRedemption', [1])).toBe('INVALID_PARAMS');
  });
});

describe('pazkp_listMoneyOrderRedemptions', () => {
  const list = (...params: unknown[]) =>
    operator.result<{ hasMoreResults: boolean; items: { nonce: number; status: string }[] }>(
      'pazkp_listMoneyOrderRedemptions',
      params,
    );

  it('lists those of an account, by nonce and with filters that may all be null', async () => {
    const all = await list(0, 100, null, 1, null, null, null);
    expect(all.items.map(({ nonce }) => nonce)).toEqual([1, 2, 4, 4]);
    expect(await list(0, 100, null, null, null, null, null)).toEqual(all);
    expect((await list(0, 100, 0, null, null, null, null)).items).toEqual(all.items);
    expect(await list(3, 1, null, 1, null, null, null)).toEqual({
      hasMoreResults: false,
      items: all.items.slice(2),
    });
    expect(await list(1, 1, null, 1, null, null, null)).toEqual({
      hasMoreResults: true,
      items: all.items.slice(0, 1),
    });
    const rejected = await list(0, 100, null, 1, 'REJECTED', null, null);
    expect(rejected.items).toMatchObject([{ nonce: 4, rejectionReason: 'EARLIER_MONEY_ORDER_OPEN' }]);
    expect((await list(0, 100, null, 1, null, 15, 25)).items).toMatchObject([{ moneyOrder: { amount: 20 } }]);
    expect((await list(0, 100, null, 2, null, null, null)).items).toEqual([]);
    expect((await list(0, 100, 2 ** 32 - 1, null, null, null, null)).items).toEqual([]);
  });

  it('refuses an unknown account', async () => {
    const params = [0, 10, null, 77, null, null, null];
    expect(await operator.rejection('pazkp_listMoneyOrderRedemptions', params)).toBe(
      'ROLLUP_ACCOUNT_NOT_FOUND',
    );
  });
});
