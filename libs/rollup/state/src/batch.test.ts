import { describe, expect, it } from '@jest/globals';
import { multiplyGenerator, totalIndex } from '@tetrad/rollup-crypto';
import { applyBatch } from './batch.js';
import { MemoryState } from './memory-state.js';
import type { RollupOperation } from './rollup-operation.js';
import { RollupUser, deposit, depositOrder } from './testing/rollup-user.js';

const domain = 9n;
let seed = 1n;
const draw = () => (seed = (seed * 0x5851f42d4c957f2dn + 1n) % 2n ** 250n);
const user = (id: number) => new RollupUser(id, multiplyGenerator(3n), domain, draw);
const address = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';

function rollup(size: number) {
  const state = new MemoryState();
  const apply = (...operations: RollupOperation[]) => {
    const batch = applyBatch(state, { ...state.next, domain, size }, operations);
    state.commit(batch);
    return batch;
  };
  return { state, apply };
}

const outcomes = (results: readonly { readonly status: string }[]) =>
  results.map((result) => ('reason' in result ? result.reason : result.status));

describe('a batch', () => {
  it('takes operations until it is full, and skips those that cannot be executed', () => {
    const { apply } = rollup(2);
    const [alice, bob] = [user(1), user(2)];
    const spend = alice.transferOut(address, 0, 1n, 1);
    const { results, publicInputs } = apply(spend, alice.create(), spend, bob.create(), user(3).create());
    expect(outcomes(results)).toEqual(['ACCOUNT_NOT_FOUND', 'EXECUTED', 'BALANCE_TOO_LOW', 'EXECUTED']);
    expect(publicInputs.operations.map(({ accountId }) => accountId)).toEqual([1, 2]);
  });

  it('executes operations of one account on top of each other, and lets later ones wait', () => {
    const { state, apply } = rollup(4);
    const alice = user(1);
    apply(alice.create(), deposit(0, alice, 2, 10n));
    const redeem = alice.redeem(depositOrder(deposit(0, alice, 2, 10n)), totalIndex(1, 1), 1);
    const out = (amount: bigint, nonce: number) => alice.transferOut(address, 2, amount, nonce);
    const { results } = apply(redeem, out(4n, 2), out(7n, 3), out(6n, 4), out(6n, 3), out(1n, 3));
    expect(outcomes(results)).toEqual([
      'EXECUTED',
      'EXECUTED',
      'BALANCE_TOO_LOW',
      'WAITING',
      'EXECUTED',
      'NONCE_TOO_LOW',
    ]);
    expect(state.account(1)).toMatchObject({ nonce: 3, redemptionIndex: totalIndex(1, 1) });
    expect(state.account(1)?.balances).toEqual(new Map());
  });

  it('does not redeem an order that it makes itself', () => {
    const { apply } = rollup(3);
    const alice = user(1);
    apply(alice.create());
    const incoming = deposit(0, alice, 0, 5n);
    const { results } = apply(incoming, alice.redeem(depositOrder(incoming), totalIndex(2, 0), 1));
    expect(outcomes(results)).toEqual(['EXECUTED', 'MONEY_ORDER_NOT_FOUND']);
  });

  it('redeems in order, and each order once', () => {
    const { apply } = rollup(3);
    const alice = user(1);
    const deposits = [0, 1].map((index) => deposit(index, alice, 0, 5n));
    apply(alice.create(), ...deposits);
    const redeem = (place: number, nonce: number) =>
      alice.redeem(depositOrder(deposits[place]!), totalIndex(1, place + 1), nonce);
    expect(outcomes(apply(redeem(1, 1)).results)).toEqual(['EARLIER_MONEY_ORDER_OPEN']);
    const { results } = apply(redeem(0, 1), redeem(0, 2), redeem(1, 2), redeem(0, 3));
    expect(outcomes(results)).toEqual([
      'EXECUTED',
      'MONEY_ORDER_ALREADY_REDEEMED',
      'EXECUTED',
      'MONEY_ORDER_ALREADY_REDEEMED',
    ]);
  });

  it('is the same however often it is computed, and changes nothing until it is committed', () => {
    const { state } = rollup(2);
    const operations = [user(1).create(), user(2).create()];
    const plan = { ...state.next, domain, size: 2 };
    const first = applyBatch(state, plan, operations);
    expect(applyBatch(state, plan, operations)).toEqual(first);
    expect(state.account(1)).toBeUndefined();
    state.commit(first);
    expect(() => state.commit(first)).toThrow(/not the next one/);
  });

  it('shows of a payment neither parties’ amounts nor tokens, and of transfers in and out all', () => {
    const { apply } = rollup(4);
    const [alice, bob] = [user(1), user(2)];
    const incoming = deposit(0, alice, 2, 10n);
    apply(alice.create(), bob.create(), incoming);
    const { publicInputs } = apply(
      alice.redeem(depositOrder(incoming), totalIndex(1, 2), 1),
      alice.pay(bob, 2, 3n, 2),
      alice.transferOut(address, 2, 4n, 3),
    );
    const shown = publicInputs.operations.map(({ kind, accountId, tokenId, amount, toAddress }) => [
      kind,
      accountId,
      tokenId,
      amount,
      toAddress,
    ]);
    expect(shown).toEqual([
      ['redeemMoneyOrder', 1, 0, 0n, 0n],
      ['createMoneyOrder', 1, 0, 0n, 0n],
      ['outboundTransfer', 1, 2, 4n, BigInt(address)],
      ['noOp', 0, 0, 0n, 0n],
    ]);
  });
});

describe('a batch of a rollup with consents', () => {
  const terms = { minimum: 5n, untilHeight: 3, tokenId: 2 };
  const consented = (size: number) => {
    const made = rollup(size);
    const [alice, bob] = [user(1), user(2)];
    const incoming = deposit(0, alice, 2, 100n);
    made.apply(alice.create(), bob.create(), incoming, bob.setConsent(terms, 1));
    made.apply(alice.redeem(depositOrder(incoming), totalIndex(1, 2), 1));
    return { ...made, alice, bob };
  };
  const orderOf = (operation: RollupOperation) => {
    if (operation.kind !== 'createMoneyOrder') throw new TypeError('no payment');
    return operation.order;
  };

  it('adds what is credited to the balance, and makes no order of it', () => {
    const { state, apply, alice, bob } = consented(4);
    const paid = alice.payDirectly(bob, 2, 7n, 2);
    const came = deposit(1, bob, 2, 9n);
    const before = state.account(2);
    const { results, orders, publicInputs } = apply(
      paid,
      { kind: 'credit', order: orderOf(paid) } as const,
      came,
      { kind: 'credit', order: depositOrder(came) } as const,
    );
    expect(outcomes(results)).toEqual(['EXECUTED', 'EXECUTED', 'EXECUTED', 'EXECUTED']);
    expect(orders).toEqual([0n, 0n, 0n, 0n]);
    expect(state.account(2)).toEqual({ ...before, balances: new Map([[2, 16n]]) });
    expect(state.hasOpenOrder(2, 0, 2 ** 48)).toBe(false);
    expect(publicInputs.operations[1]).toMatchObject({
      kind: 'credit',
      accountId: 2,
      tokenId: 0,
      amount: 0n,
    });
    expect(publicInputs.inboundTo).toBe(2);
  });

  it('makes an order of a payment after which there is no credit', () => {
    const { state, apply, alice, bob } = consented(4);
    const { orders } = apply(alice.payDirectly(bob, 2, 7n, 2));
    expect(orders[0]).not.toBe(0n);
    expect(state.hasOpenOrder(2, 0, 2 ** 48)).toBe(true);
  });

  it('credits nothing that payer or receiver does not let be', () => {
    const { state, apply, alice, bob } = consented(8);
    const [plain, small, other] = [
      alice.pay(bob, 2, 7n, 2),
      alice.payDirectly(bob, 2, 4n, 3),
      alice.payDirectly(alice, 2, 7n, 4),
    ];
    const tried = [plain, small, other].flatMap((paid) => [
      paid,
      { kind: 'credit', order: orderOf(paid) } as const,
    ]);
    const refused = ['EXECUTED', 'NOT_CREDITABLE'];
    expect(outcomes(apply(...tried).results)).toEqual([...refused, ...refused, ...refused]);
    expect(state.account(2)?.balances).toEqual(new Map());
    const late = alice.payDirectly(bob, 2, 7n, 5);
    expect(outcomes(apply(late, { kind: 'credit', order: orderOf(late) }).results)).toEqual(refused);
  });

  it('credits what was made right before, once', () => {
    const { apply, alice, bob } = consented(8);
    const [first, second] = [alice.payDirectly(bob, 2, 7n, 2), alice.payDirectly(bob, 2, 8n, 3)];
    const credit = (paid: RollupOperation) => ({ kind: 'credit', order: orderOf(paid) }) as const;
    const { results } = apply(first, second, credit(first), credit(second), credit(second));
    expect(outcomes(results)).toEqual([
      'EXECUTED',
      'EXECUTED',
      'NOT_CREDITABLE',
      'EXECUTED',
      'NOT_CREDITABLE',
    ]);
    const third = alice.payDirectly(bob, 2, 9n, 4);
    apply(third);
    expect(outcomes(apply(credit(third)).results)).toEqual(['NOT_CREDITABLE']);
  });

  it('credits nothing beyond what a balance can hold', () => {
    const { apply, alice, bob } = consented(4);
    const full = deposit(1, bob, 2, 2n ** 64n - 1n);
    const more = alice.payDirectly(bob, 2, 5n, 2);
    const { results } = apply(full, { kind: 'credit', order: depositOrder(full) } as const, more, {
      kind: 'credit',
      order: orderOf(more),
    } as const);
    expect(outcomes(results)).toEqual(['EXECUTED', 'EXECUTED', 'EXECUTED', 'BALANCE_TOO_HIGH']);
  });

  it('has none of it where the contract has no consents', () => {
    const state = new MemoryState(false);
    const [alice, bob] = [user(1), user(2)];
    const apply = (...operations: RollupOperation[]) => {
      const batch = applyBatch(state, { ...state.next, domain, size: 4 }, operations);
      state.commit(batch);
      return outcomes(batch.results);
    };
    const incoming = deposit(0, alice, 2, 100n);
    apply(alice.create(), bob.create(), incoming);
    apply(alice.redeem(depositOrder(incoming), totalIndex(1, 2), 1));
    expect(state.account(1)?.consent).toBeUndefined();
    const paid = alice.payDirectly(bob, 2, 7n, 2);
    expect(apply(alice.setConsent(terms, 2), paid, { kind: 'credit', order: orderOf(paid) })).toEqual([
      'NO_CONSENTS',
      'NO_CONSENTS',
      'NO_CONSENTS',
    ]);
    expect(apply(alice.pay(bob, 2, 7n, 2))).toEqual(['EXECUTED']);
  });
});
