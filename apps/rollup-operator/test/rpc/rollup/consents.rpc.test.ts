import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consentHash, encodeWord, totalIndex } from '@tetrad/rollup-crypto';
import { hexFromBytes } from '@tetrad/types';
import { AccountHolder } from '../../account-holder.js';
import { DOMAIN, TOKEN, startOperator, type RunningOperator } from '../../running-operator.js';

const [alice, bob, carol] = [1, 2, 3].map((id) => new AccountHolder(id, 50 + id)) as [
  ...[AccountHolder, AccountHolder, AccountHolder],
];
const TERMS = { tokenId: TOKEN, minimum: 10n, untilHeight: 1_000, secret: 77n };
const SHOWN = { tokenId: TOKEN, minimum: 10, untilHeight: 1_000, secret: wordOf(77n) };
let operator: RunningOperator;

/** Alice has a thousand, and bob a consent. */
beforeAll(async () => {
  operator = await startOperator();
  for (const holder of [alice, bob, carol])
    await operator.result('pazkp_createAccount', holder.registration());
  await operator.deposit(alice.id, TOKEN, 1_000n);
  await operator.finalize();
  const [received] = await operator.store.listReceivedOrders({
    toAccountId: alice.id,
    fromTotalIndex: 0,
    upToHeight: 9,
    limit: 1,
  });
  const { order, totalIndex: index } = received!;
  await operator.result('pazkp_redeemMoneyOrder', alice.redemption(order, index, 1));
  await sent('rollup_setConsent', bob.consent(TERMS, 1));
  await operator.finalize();
});
afterAll(() => operator.stop());

function wordOf(value: bigint): string {
  return hexFromBytes(encodeWord(value));
}
const sent = async (method: string, params: readonly unknown[]) =>
  String((await operator.result(method, params))['operationHash']);
const stateOf = (id: number) => operator.result('rollup_getAccountState', [id]);

describe('a consent', () => {
  it('is in the state of its account, which without one has none', async () => {
    expect(await stateOf(bob.id)).toMatchObject({
      consent: wordOf(consentHash(DOMAIN, TERMS)),
      terms: SHOWN,
    });
    expect(await stateOf(carol.id)).toMatchObject({ consent: wordOf(0n), terms: null });
    const { consent, terms, ...rest } = await stateOf(bob.id);
    expect([consent, terms]).not.toContain(undefined);
    expect(rest).toEqual(await operator.result('pazkp_getAccountState', [bob.id]));
  });

  it('is found by its hash, and listed', async () => {
    const [listed] = (await operator.result('rollup_listConsentChanges', [1, 10, bob.id, null]))[
      'items'
    ] as Record<string, unknown>[];
    expect(listed).toMatchObject({ accountId: bob.id, terms: SHOWN, nonce: 1, status: 'EXECUTED' });
    const found = await operator.result('rollup_findConsentChange', [listed?.['operationHash']]);
    expect(found).toMatchObject(listed as object);
    expect(await operator.result('rollup_findConsentChange', [wordOf(1n)])).toBeNull();
    const none = await operator.result('rollup_listConsentChanges', [0, 10, alice.id, null]);
    expect(none).toEqual({ hasMoreResults: false, items: [] });
  });

  it.each([
    ['another minimum than was signed', { minimum: 9n }],
    ['another token than was signed', { tokenId: 0 }],
    ['another height than was signed', { untilHeight: 999 }],
    ['another secret than was signed', { secret: 78n }],
  ])('with %s is refused', async (_, other) => {
    const reason = await operator.rejection('rollup_setConsent', carol.consent(TERMS, 1, other));
    expect(reason).toBe('INVALID_ACCOUNT_SIGNATURE');
    expect(await operator.result('rollup_listConsentChanges', [0, 10, carol.id, null])).toMatchObject({
      items: [],
    });
  });

  it('of another account, token or nonce than there is is refused', async () => {
    const stranger = new AccountHolder(bob.id, 99);
    expect(await operator.rejection('rollup_setConsent', stranger.consent(TERMS, 2))).toBe(
      'INVALID_ACCOUNT_SIGNATURE',
    );
    expect(await operator.rejection('rollup_revokeConsent', stranger.revocation(2))).toBe(
      'INVALID_ACCOUNT_SIGNATURE',
    );
    const nowhere = new AccountHolder(77, 99);
    expect(await operator.rejection('rollup_setConsent', nowhere.consent(TERMS, 1))).toBe(
      'ROLLUP_ACCOUNT_NOT_FOUND',
    );
    const unknown = carol.consent({ ...TERMS, tokenId: 9 }, 1);
    expect(await operator.rejection('rollup_setConsent', unknown)).toBe('UNKNOWN_TOKEN');
    // What was executed before is no consent once more, whatever its text is.
    const replayed = await sent('rollup_setConsent', bob.consent({ ...TERMS, minimum: 1n }, 1));
    await operator.finalize();
    expect(await operator.result('rollup_findConsentChange', [replayed])).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'NONCE_TOO_LOW',
    });
    expect(await stateOf(bob.id)).toMatchObject({ terms: SHOWN });
  });

  it('with a height that no batch has is refused by name', async () => {
    for (const untilHeight of [0, -1, 2 ** 32, 1.5]) {
      const params = bob.consent(TERMS, 2).with(3, untilHeight);
      const { error } = await operator.call('rollup_setConsent', params);
      expect(error?.message).toMatch(/^invalid params: untilHeight: /);
    }
  });
});

describe('a payment that may be credited', () => {
  const balanceOf = async (id: number) =>
    ((await stateOf(id))['balances'] as Record<string, number>)[TOKEN] ?? 0;

  it('is in the balance of its receiver in its batch, listed there, and no order', async () => {
    const before = await stateOf(bob.id);
    const hash = await sent('rollup_createDirectMoneyOrder', alice.directPayment(bob, TOKEN, 25n, 2));
    const height = await operator.finalize();
    const index = totalIndex(height, 1);
    expect(await stateOf(bob.id)).toMatchObject({
      nonce: before['nonce'],
      redemptionIndex: before['redemptionIndex'],
      balances: { [TOKEN]: 25 },
    });
    expect(await operator.result('rollup_listCredits', [0, 10, bob.id, null])).toEqual({
      hasMoreResults: false,
      items: [
        {
          totalIndex: index,
          fromAccountId: alice.id,
          toAccountId: bob.id,
          tokenId: TOKEN,
          amount: 25,
          batchHeight: height,
        },
      ],
    });
    expect(await operator.result('rollup_listCredits', [index + 1, 10, bob.id, null])).toMatchObject({
      items: [],
    });
    expect(await operator.result('rollup_listCredits', [0, 10, bob.id, carol.id])).toMatchObject({
      items: [],
    });
    const creation = await operator.result('pazkp_findMoneyOrderCreation', [hash]);
    expect(creation).toMatchObject({ status: 'EXECUTED', batchHeight: height });
    const received = ['pazkp_listMoneyOrdersReceived', [0, 10, null, bob.id, null, null, null]] as const;
    expect(await operator.result(...received)).toMatchObject({ items: [] });
    expect(await operator.result('pazkp_findReceivedMoneyOrder', [bob.id, index - 1])).toBeNull();
  });

  it('is an order below the minimum, and where its receiver has no consent', async () => {
    const before = await balanceOf(bob.id);
    await sent('rollup_createDirectMoneyOrder', alice.directPayment(bob, TOKEN, 9n, 3));
    await sent('rollup_createDirectMoneyOrder', alice.directPayment(carol, TOKEN, 30n, 4));
    await operator.finalize();
    expect([await balanceOf(bob.id), await balanceOf(carol.id)]).toEqual([before, 0]);
    for (const [id, amount] of [[bob.id, 9] as const, [carol.id, 30] as const])
      expect(
        await operator.result('pazkp_listMoneyOrdersReceived', [0, 10, null, id, null, null, null]),
      ).toMatchObject({ items: [{ moneyOrder: { amount } }] });
  });

  it('is an order after the revocation', async () => {
    const before = await balanceOf(bob.id);
    await sent('rollup_revokeConsent', bob.revocation(2));
    await sent('rollup_createDirectMoneyOrder', alice.directPayment(bob, TOKEN, 40n, 5));
    await operator.finalize();
    expect(await balanceOf(bob.id)).toBe(before);
    expect(await stateOf(bob.id)).toMatchObject({ consent: wordOf(0n), terms: null });
    const { items } = await operator.result<{ items: unknown[] }>('rollup_listConsentChanges', [
      2,
      10,
      bob.id,
      null,
    ]);
    expect(items).toMatchObject([{ nonce: 2, terms: null }]);
  });

  it('of which something else was signed is refused', async () => {
    const plain = alice.payment(bob, TOKEN, 25n, 6);
    expect(await operator.rejection('rollup_createDirectMoneyOrder', plain)).toBe(
      'INVALID_ACCOUNT_SIGNATURE',
    );
    const direct = alice.directPayment(bob, TOKEN, 25n, 6);
    expect(await operator.rejection('pazkp_createMoneyOrder', direct)).toBe('INVALID_ACCOUNT_SIGNATURE');
  });
});

it('a rollup without consents takes none of it, and says that its accounts have none', async () => {
  const earlier = await startOperator([], { hasConsents: false });
  for (const holder of [alice, bob]) await earlier.result('pazkp_createAccount', holder.registration());
  await earlier.finalize();
  for (const [method, params] of [
    ['rollup_setConsent', bob.consent(TERMS, 1)],
    ['rollup_revokeConsent', bob.revocation(1)],
    ['rollup_createDirectMoneyOrder', alice.directPayment(bob, TOKEN, 25n, 1)],
  ] as const)
    expect([method, await earlier.rejection(method, params)]).toEqual([method, 'CONSENTS_NOT_SUPPORTED']);
  expect(await earlier.result('rollup_getAccountState', [bob.id])).toMatchObject({
    consent: null,
    terms: null,
  });
  await earlier.stop();
});
