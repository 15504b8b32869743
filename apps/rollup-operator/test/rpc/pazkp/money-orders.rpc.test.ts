import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeWord } from '@tetrad/rollup-crypto';
import { ORDER_TREE_DEPTH, rootOfPath } from '@tetrad/rollup-state';
import { bytesFromHex } from '@tetrad/types';
import { AccountHolder } from '../../account-holder.js';
import { TOKEN, blockHash, startOperator, type RunningOperator } from '../../running-operator.js';

let operator: RunningOperator;
const [alice, bob] = [new AccountHolder(1, 1), new AccountHolder(2, 2)];

beforeAll(async () => {
  operator = await startOperator();
  await operator.result('pazkp_createAccount', alice.registration());
  await operator.result('pazkp_createAccount', bob.registration());
  await operator.deposit(1, TOKEN, 1_000_000n);
  await operator.finalize();
  await redeemFirst(alice, 1);
  await operator.finalize();
});
afterAll(() => operator.stop());

async function redeemFirst(holder: AccountHolder, nonce: number): Promise<void> {
  const [first] = await operator.store.listReceivedOrders({
    toAccountId: holder.id,
    fromTotalIndex: 0,
    upToHeight: 99,
    redeemed: false,
    limit: 1,
  });
  if (first === undefined) throw new Error('no order');
  await operator.result('pazkp_redeemMoneyOrder', holder.redemption(first.order, first.totalIndex, nonce));
}

const pay = (amount: bigint, nonce: number) =>
  operator.result<{ operationHash: string }>(
    'pazkp_createMoneyOrder',
    alice.payment(bob, TOKEN, amount, nonce),
  );
const find = (hash: string) => operator.result('pazkp_findMoneyOrderCreation', [1, hash]);
const latestNonce = async () => Number((await operator.result('pazkp_getAccountNonce', [1]))['nonce']);

const at = (params: readonly unknown[], index: number, value: unknown) =>
  params.map((param, place) => (place === index ? value : param));
/** Claims to be Bob, with another key. */
const reader = () => new AccountHolder(2, 44);

describe('pazkp_createMoneyOrder', () => {
  it('queues an order, which is pending, executed and then on the chain', async () => {
    const nonce = (await latestNonce()) + 1;
    const { operationHash } = await pay(2500n, nonce);
    const moneyOrder = { fromAccountId: 1, toAccountId: 2, tokenId: TOKEN, amount: 2500 };
    expect(await find(operationHash)).toMatchObject({
      operationHash,
      nonce,
      status: 'PENDING',
      rejectionReason: null,
      moneyOrderTotalIndex: null,
      moneyOrder,
      batchHeight: null,
      batchStateRootHash: null,
      blockNumber: null,
      blockHash: null,
    });
    await operator.execute();
    expect(await find(operationHash)).toMatchObject({ status: 'EXECUTED', blockNumber: null });
    const height = await operator.finalize();
    const found = await find(operationHash);
    expect(found).toMatchObject({ status: 'EXECUTED', batchHeight: height, blockNumber: 100 + height });
    expect(found['blockHash']).toBe(blockHash(100 + height));
    expect(Math.floor(Number(found['moneyOrderTotalIndex']) / 65_536)).toBe(height);
    const root = decodeWord(bytesFromHex(found['batchStateRootHash'] as string));
    expect(root).toBe((await operator.store.findBatch(height))?.roots?.state);
    expect(await operator.result('pazkp_findMoneyOrderCreation', [operationHash])).toEqual(found);
  });

  it('takes the same operation once, however often it comes', async () => {
    const params = alice.payment(bob, TOKEN, 1n, (await latestNonce()) + 1);
    const answers = await Promise.all([1, 2, 3].map(() => operator.result('pazkp_createMoneyOrder', params)));
    expect(new Set(answers.map((one) => one['operationHash'])).size).toBe(1);
    await operator.execute();
    expect(await operator.result('pazkp_createMoneyOrder', params)).toEqual(answers[0]);
    expect(await find(answers[0]?.['operationHash'] as string)).toMatchObject({ status: 'EXECUTED' });
  });

  it('reports what executing decides: nonces, replacements and balances', async () => {
    const nonce = await latestNonce();
    const low = await pay(1n, nonce);
    const replaced = await pay(1n, nonce + 2);
    const waiting = await pay(2n, nonce + 2);
    const tooMuch = await pay(10n ** 12n, nonce + 1);
    await operator.execute();
    expect(await find(low.operationHash)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'NONCE_TOO_LOW',
    });
    expect(await find(replaced.operationHash)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'REPLACED_BY_OPERATION_WITH_SAME_NONCE',
    });
    expect(await find(tooMuch.operationHash)).toMatchObject({ rejectionReason: 'BALANCE_TOO_LOW' });
    expect(await find(waiting.operationHash)).toMatchObject({ status: 'PENDING' });
    const before = await pay(3n, nonce + 1);
    await operator.execute();
    expect(await find(before.operationHash)).toMatchObject({ status: 'EXECUTED' });
    expect(await find(waiting.operationHash)).toMatchObject({ status: 'EXECUTED' });
  });

  it.each([
    [
      'an unknown payer',
      () => new AccountHolder(77, 1).payment(bob, TOKEN, 1n, 1),
      'ROLLUP_ACCOUNT_NOT_FOUND',
    ],
    [
      'an unknown receiver',
      () => alice.payment(new AccountHolder(77, 2), TOKEN, 1n, 9),
      'ROLLUP_ACCOUNT_NOT_FOUND',
    ],
    [
      'the external account',
      () => alice.payment(new AccountHolder(0, 2), TOKEN, 1n, 9),
      'ROLLUP_ACCOUNT_NOT_FOUND',
    ],
    [
      'an id beyond all',
      () => alice.payment(new AccountHolder(2 ** 32 - 1, 2), TOKEN, 1n, 9),
      'ROLLUP_ACCOUNT_NOT_FOUND',
    ],
    ['an unknown token', () => alice.payment(bob, 7, 1n, 9), 'UNKNOWN_TOKEN'],
    ['a token beyond all', () => alice.payment(bob, 2 ** 32 - 1, 1n, 9), 'UNKNOWN_TOKEN'],
    ['a nonce far above', () => alice.payment(bob, TOKEN, 1n, 5_000), 'NONCE_TOO_HIGH'],
    [
      'the signature of another',
      () => new AccountHolder(1, 2).payment(bob, TOKEN, 1n, 9),
      'INVALID_ACCOUNT_SIGNATURE',
    ],
    [
      'another amount than was signed',
      () => at(alice.payment(bob, TOKEN, 1n, 9), 3, 2),
      'INVALID_ACCOUNT_SIGNATURE',
    ],
    [
      'no signature',
      () => at(alice.payment(bob, TOKEN, 1n, 9), 8, `0x${'00'.repeat(96)}`),
      'INVALID_ACCOUNT_SIGNATURE',
    ],
    [
      'a cut ciphertext',
      () => at(alice.payment(bob, TOKEN, 1n, 9), 5, '0x0000000000000005'),
      'INVALID_ENCRYPTION',
    ],
    ['a text for another reader', () => alice.payment(reader(), TOKEN, 1n, 9), 'INVALID_ENCRYPTION'],
    [
      'another factor',
      () => at(alice.payment(bob, TOKEN, 1n, 9), 6, `0x${'01'.repeat(32)}`),
      'INVALID_ENCRYPTION',
    ],
  ])('refuses %s, and stores nothing', async (_, params, reason) => {
    const count = async () => (await operator.database.pool.query('SELECT FROM operation')).rowCount;
    const before = await count();
    expect(await operator.rejection('pazkp_createMoneyOrder', params())).toBe(reason);
    expect(await count()).toBe(before);
  });

  it.each([
    [0, 2 ** 32],
    [1, 1.5],
    [2, null],
    [3, 2n ** 64n],
    [3, -1],
    [3, '1e3'],
    [4, `0x${'ff'.repeat(32)}`],
    [5, 'hex'],
    [6, '0x01'],
    [7, 2 ** 53],
    [8, '0x'],
  ])('names parameter %i when it is %p', async (index, value) => {
    const { error } = await operator.call(
      'pazkp_createMoneyOrder',
      at(alice.payment(bob, TOKEN, 1n, 9), index, value),
    );
    const names =
      'fromAccountId toAccountId tokenId amount blindingFactor encryptedMoneyOrder randomizationFactor nonce signature';
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(names.split(' ')[index] as string),
    });
  });

  it('refuses an account that is not final on either side', async () => {
    const late = new AccountHolder(3, 3);
    await operator.result('pazkp_createAccount', late.registration());
    await operator.execute();
    for (const params of [alice.payment(late, TOKEN, 1n, 9), late.payment(alice, TOKEN, 1n, 1)]) {
      expect(await operator.rejection('pazkp_createMoneyOrder', params)).toBe('ROLLUP_ACCOUNT_NOT_FINALIZED');
    }
    expect(await operator.rejection('pazkp_listMoneyOrderCreations', [0, 9, 3, null, null, null, null])).toBe(
      'ROLLUP_ACCOUNT_NOT_FINALIZED',
    );
  });

  it('takes amounts as exact numbers and as text', async () => {
    const nonce = (await latestNonce()) + 1;
    const params = alice.payment(bob, TOKEN, 9_007_199_254_740_993n, nonce);
    const asText = at(at(params, 3, '9007199254740993'), 7, String(nonce));
    const first = await operator.result('pazkp_createMoneyOrder', params);
    expect(await operator.result('pazkp_createMoneyOrder', asText)).toEqual(first);
    await operator.execute();
    expect(await find(first['operationHash'] as string)).toMatchObject({
      moneyOrder: { amount: 9_007_199_254_740_993n },
      rejectionReason: 'BALANCE_TOO_LOW',
    });
  });

  it('answers a body of 100 kB of the largest ciphertexts without harm', async () => {
    const params = at(alice.payment(bob, TOKEN, 1n, 9), 5, `0x${'00'.repeat(8_192)}`);
    const calls = Array.from({ length: 6 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'pazkp_createMoneyOrder',
      params,
    }));
    const body = JSON.stringify(calls, (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    );
    const response = await fetch(operator.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const answers = (await response.json()) as { error: { data: { reason: string } } }[];
    expect(answers.map(({ error }) => error.data.reason)).toEqual(calls.map(() => 'INVALID_ENCRYPTION'));
  });
});

describe('pazkp_findMoneyOrderCreation', () => {
  it('gives null for an unknown hash, and for an operation of another kind', async () => {
    expect(await find(`0x${'ff'.repeat(32)}`)).toBeNull();
    const redemption = await operator.store.listOperations({
      kind: 'redeemMoneyOrder',
      fromNonce: 0,
      limit: 1,
    });
    const hash = `0x${(redemption[0]?.hash ?? 0n).toString(16).padStart(64, '0')}`;
    expect(await find(hash)).toBeNull();
  });
});

describe('pazkp_listMoneyOrderCreations', () => {
  const list = (...params: unknown[]) =>
    operator.result<{ hasMoreResults: boolean; items: { nonce: number; status: string }[] }>(
      'pazkp_listMoneyOrderCreations',
      params,
    );

  it('lists by nonce, cut after the soft limit but not between operations of one nonce', async () => {
    const all = await list(0, 1000, 1, null, null, null, null);
    expect(all.hasMoreResults).toBe(false);
    const nonces = all.items.map(({ nonce }) => nonce);
    expect(nonces).toEqual([...nonces].sort((one, other) => one - other));
    const seen: unknown[] = [];
    for (let from = 0; ;) {
      const page = await list(from, 1, 1, null, null, null, null);
      const [first] = page.items;
      expect(page.items.every(({ nonce }) => nonce === first?.nonce)).toBe(true);
      seen.push(...page.items);
      if (!page.hasMoreResults) break;
      from = (first?.nonce ?? 0) + 1;
    }
    expect(seen).toEqual(all.items);
  });

  it('filters by receiver, status and amount', async () => {
    const all = await list(0, 1000, 1, null, null, null, null);
    const rejected = await list(0, 1000, 1, 2, 'REJECTED', null, null);
    expect(rejected.items).toEqual(all.items.filter(({ status }) => status === 'REJECTED'));
    expect(rejected.items.length).toBeGreaterThan(0);
    expect((await list(0, 1000, 1, 1, null, null, null)).items).toEqual([]);
    expect((await list(0, 1000, 1, 2 ** 32 - 1, null, null, null)).items).toEqual([]);
    const some = await list(0, 1000, 1, null, null, 2500, '0x9c4');
    expect(some.items).toMatchObject([{ moneyOrder: { amount: 2500 } }]);
  });

  it('refuses an unknown account and a bad status', async () => {
    const rejection = (...params: unknown[]) => operator.rejection('pazkp_listMoneyOrderCreations', params);
    expect(await rejection(0, 10, 77, null, null, null, null)).toBe('ROLLUP_ACCOUNT_NOT_FOUND');
    expect(await rejection(0, 10, 1, null, 'REDEEMED', null, null)).toBe('INVALID_PARAMS');
    expect(await rejection(0, 0, 1, null, null, null, null)).toBe('INVALID_PARAMS');
    expect(await rejection(0, 1001, 1, null, null, null, null)).toBe('INVALID_PARAMS');
  });
});

describe('pazkp_findReceivedMoneyOrder and pazkp_listMoneyOrdersReceived', () => {
  interface Received {
    readonly moneyOrder: { readonly amount: number; readonly fromAccountId: number };
    readonly moneyOrderTotalIndex: number;
    readonly batchHeight: number;
    readonly merkleProof?: readonly string[];
  }
  const list = (...params: unknown[]) =>
    operator.result<{ hasMoreResults: boolean; items: Received[] }>('pazkp_listMoneyOrdersReceived', params);
  const find = (...params: unknown[]) =>
    operator.result<Received | null>('pazkp_findReceivedMoneyOrder', params);

  it('give what is final, with a path to the root of its batch, and by status', async () => {
    await operator.finalize();
    const open = await list(0, 100, null, 2, 'AVAILABLE_TO_REDEEM', null, null);
    expect(open.items.length).toBeGreaterThan(2);
    const [first, second] = open.items as [Received, Received];
    const found = await find(2, first.moneyOrderTotalIndex);
    expect(found).toMatchObject(first);
    const { orders } = (await operator.store.findBatch(first.batchHeight))?.roots ?? {};
    const path = found?.merkleProof?.map((one) => decodeWord(bytesFromHex(one))) ?? [];
    const stored = await operator.store.findMoneyOrder(first.moneyOrderTotalIndex);
    expect(path).toHaveLength(ORDER_TREE_DEPTH);
    expect(rootOfPath(stored?.hash ?? 0n, first.moneyOrderTotalIndex % 65_536, path)).toBe(orders);
    await redeemFirst(bob, 1);
    await operator.execute();
    const redeemed = await list(0, 100, 1, 2, 'REDEEMED', null, null);
    expect(redeemed.items.map((one) => one.moneyOrderTotalIndex)).toEqual([first.moneyOrderTotalIndex]);
    const page = await list(0, 1, null, 2, 'AVAILABLE_TO_REDEEM', null, null);
    expect(page).toEqual({ hasMoreResults: true, items: [second] });
    expect((await list(second.moneyOrderTotalIndex, 100, null, 2, null, null, null)).items[0]).toEqual(
      second,
    );
    expect((await list(0, 100, null, 2, null, 2500, 2500)).items).toHaveLength(1);
    expect((await list(0, 100, 2 ** 32 - 1, 2, null, null, null)).items).toEqual([]);
    expect((await list(0, 100, 0, 1, 'REDEEMED', null, null)).items).toHaveLength(1);
  });

  it('show nothing before it is final, to others, or that is not there', async () => {
    const nonce = (await latestNonce()) + 1;
    const { operationHash } = await pay(777n, nonce);
    await operator.execute();
    const created = await operator.result('pazkp_findMoneyOrderCreation', [operationHash]);
    const totalIndex = Number(created['moneyOrderTotalIndex']);
    expect(await find(2, totalIndex)).toBeNull();
    expect((await list(0, 100, null, 2, null, 777, 777)).items).toEqual([]);
    await operator.finalize();
    expect(await find(2, totalIndex)).toMatchObject({ moneyOrder: { amount: 777 } });
    expect(await find(1, totalIndex)).toBeNull();
    expect(await find(2, 2 ** 48 - 1)).toBeNull();
    expect(
      await operator.rejection('pazkp_listMoneyOrdersReceived', [0, 10, null, 77, null, null, null]),
    ).toBe('ROLLUP_ACCOUNT_NOT_FOUND');
  });
});
