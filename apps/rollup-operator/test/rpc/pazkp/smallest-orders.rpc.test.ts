import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MoneyOrder } from '@tetrad/rollup-crypto';
import { AccountHolder } from '../../account-holder.js';
import { TOKEN, compose, startOperator, type RunningOperator } from '../../running-operator.js';

const [alice, bob] = [new AccountHolder(1, 1), new AccountHolder(2, 2)];
const [DUST, DEPOSIT] = [7n, 1_000n];

let operator: RunningOperator;
let orders: readonly { readonly order: MoneyOrder; readonly totalIndex: number }[];
beforeAll(async () => {
  operator = await startOperator(['--min-order-amount', '100', '--min-transfer-amount', '50']);
  for (const holder of [alice, bob]) await operator.result('pazkp_createAccount', holder.registration());
  for (const amount of [DUST, DEPOSIT, DEPOSIT]) await operator.deposit(1, TOKEN, amount);
  const upToHeight = await operator.finalize();
  orders = await operator.store.listReceivedOrders({
    toAccountId: 1,
    fromTotalIndex: 0,
    upToHeight,
    redeemed: false,
    limit: 9,
  });
});
afterAll(() => operator.stop());

/** Parameters of the redemption of one of the three deposits. */
function redemption(place: number, nonce: number): unknown[] {
  const { order, totalIndex } = orders[place] as (typeof orders)[number];
  return alice.redemption(order, totalIndex, nonce);
}

describe('an operator with a smallest amount of orders', () => {
  it('lets a receiver skip smaller orders, and no others', async () => {
    expect(orders.map(({ order }) => order.amount)).toEqual([DUST, DEPOSIT, DEPOSIT]);
    expect(await operator.rejection('pazkp_redeemMoneyOrder', redemption(2, 1))).toBe(
      'EARLIER_MONEY_ORDER_OPEN',
    );
    const { operationHash } = await operator.result<{ operationHash: string }>(
      'pazkp_redeemMoneyOrder',
      redemption(1, 1),
    );
    await operator.finalize();
    expect(await operator.result('pazkp_findMoneyOrderRedemption', [operationHash])).toMatchObject({
      status: 'EXECUTED',
    });
    // Skipped orders are forfeited.
    expect(await operator.rejection('pazkp_redeemMoneyOrder', redemption(0, 2))).toBe(
      'MONEY_ORDER_ALREADY_REDEEMED',
    );
  });

  it('makes no smaller ones, and says how small they may be', async () => {
    const refused = await operator.call('pazkp_createMoneyOrder', alice.payment(bob, TOKEN, 99n, 2));
    expect(refused.error?.data).toMatchObject({ reason: 'AMOUNT_TOO_LOW', minAmount: '100' });
    expect(refused.error?.message).toBe('amount: a money order is of 100 or more units, not 99');
    const made = await operator.result<{ operationHash: string }>(
      'pazkp_createMoneyOrder',
      alice.payment(bob, TOKEN, 100n, 2),
    );
    await operator.finalize();
    expect(await operator.result('pazkp_findMoneyOrderCreation', [1, made.operationHash])).toMatchObject({
      status: 'EXECUTED',
    });
  });
});

const address = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';

describe('an operator with a smallest amount of transfers out', () => {
  const METHOD = 'pazkp_createOutboundTransfer';

  it('makes no smaller ones, and says how small they may be', async () => {
    const { error } = await operator.call(METHOD, alice.transfer(address, TOKEN, 49n, 3));
    const data = { reason: 'TRANSFER_AMOUNT_TOO_LOW', minAmount: '50' };
    expect(error).toMatchObject({ code: -32602, data });
    expect(error?.message).toBe(
      'amount: a transfer is of 50 or more units, or of all that the account has, not 49',
    );
    // Of 900 that are left it leaves all but 7 in.
    await operator.result(METHOD, alice.transfer(address, TOKEN, 893n, 3));
    await operator.execute();
  });

  it('lets out all that an account has, and takes that again when its answer was lost', async () => {
    expect(await operator.rejection(METHOD, alice.transfer(address, TOKEN, 6n, 4))).toBe(
      'TRANSFER_AMOUNT_TOO_LOW',
    );
    const all = alice.transfer(address, TOKEN, 7n, 4);
    const taken = await operator.result<{ operationHash: string }>(METHOD, all);
    await operator.finalize();
    expect(await operator.result('pazkp_findOutboundTransfer', [taken.operationHash])).toMatchObject({
      status: 'EXECUTED',
    });
    expect(await operator.result(METHOD, all)).toEqual(taken);
    expect(await operator.rejection(METHOD, alice.transfer(address, TOKEN, 7n, 5))).toBe(
      'TRANSFER_AMOUNT_TOO_LOW',
    );
  });
});

describe('an operation of amount 0', () => {
  const nothing = { fromAccountId: 0, toAccountId: 1, tokenId: TOKEN, amount: 0n, blindingFactor: 1n };

  it.each([
    ['pazkp_createMoneyOrder', 3, () => alice.payment(bob, TOKEN, 0n, 3)],
    ['pazkp_redeemMoneyOrder', 3, () => alice.redemption(nothing, 2 ** 16, 3)],
    ['pazkp_createOutboundTransfer', 3, () => alice.transfer(address, TOKEN, 0n, 3)],
  ])('is refused by %s, in each form, and nothing is stored', async (method, place, params) => {
    for (const zero of [0, '0', '0x0']) {
      const sent = params().map((param, at) => (at === place ? zero : param));
      const { error } = await operator.call(method, sent);
      expect(error).toMatchObject({ code: -32602, data: { reason: 'INVALID_PARAMS' } });
      expect(error?.message).toContain('amount: must be above 0');
    }
    const { pendingOperations } = await operator.store.readBacklog();
    expect(pendingOperations).toBe(0);
  });

  it.each(['--min-order-amount', '--min-transfer-amount'])('cannot be allowed by %s', (flag) => {
    expect(() => compose('postgres://localhost/none', [flag, '0'])).toThrow(flag);
  });
});
