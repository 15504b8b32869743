import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchProver, WitnessError } from '@tetrad/rollup-circuits';
import {
  FIELD_MODULUS,
  NO_CONSENT,
  inboundMoneyOrder,
  multiplyGenerator,
  totalIndex,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { seededRandom } from '@tetrad/testkit';
import type { Account } from '../src/account.js';
import { applyBatch, assembleBatch } from '../src/batch.js';
import { executeOperation, type Effects } from '../src/execution.js';
import { MemoryState } from '../src/memory-state.js';
import type { RollupOperation } from '../src/rollup-operation.js';
import { RollupUser, deposit, depositOrder } from '../src/testing/rollup-user.js';

/**
 * What an operator without scruples would like to prove. Each batch is consistent in itself (leaves, roots and hashes are
 * those of its effects, and what is signed is signed), so it is the rule that refuses it and nothing else.
 */

const domain = 4711n;
const random = seededRandom(5);
const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
const operatorKey = multiplyGenerator(17n);
const user = (id: number) => new RollupUser(id, operatorKey, domain, draw);
const [alice, bob, carol] = [user(1), user(2), user(3)];
const address = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';

const state = new MemoryState();
let prover: BatchProver;
let paid: MoneyOrder;
/** alice paid bob this order in batch 6; batch 4 and 5 hold deposits for her, of which she redeemed the first. */
const PAID = totalIndex(6, 0);

beforeAll(async () => {
  prover = await BatchProver.open({ size: 1 });
  const apply = (operation: RollupOperation) => {
    const batch = applyBatch(state, { ...state.next, domain, size: 1 }, [operation]);
    state.commit(batch);
    const [result] = batch.results;
    if (result?.status !== 'EXECUTED') throw new Error('an operation was not executed');
    return result.effects;
  };
  apply(alice.create());
  apply(bob.create());
  apply(deposit(0, alice, 0, 100n));
  apply(alice.redeem(depositOrder(deposit(0, alice, 0, 100n)), totalIndex(3, 0), 1));
  apply(deposit(1, alice, 0, 50n));
  paid = apply(alice.pay(bob, 0, 40n, 2)).order as MoneyOrder;
});

afterAll(() => prover.close());

const account = (id: number) => state.account(id) as Account;

/** Whether the circuit takes it. */
async function isTaken(operation: RollupOperation, effects: Effects): Promise<boolean> {
  const batch = assembleBatch(state, { ...state.next, domain, size: 1 }, [{ operation, effects }]);
  try {
    await prover.execute(batch.witness);
    return true;
  } catch (error) {
    if (!(error instanceof WitnessError)) throw error;
    return false;
  }
}

/** What an operation that the account may do would change. */
function effectsOf(id: number, change: Partial<Account>, order?: MoneyOrder): Effects {
  const before = account(id);
  return { before, after: { ...before, nonce: before.nonce + 1, ...change }, order };
}

const reasonOf = (operation: RollupOperation) => {
  const execution = executeOperation(state.executionView(domain), operation);
  return execution.status === 'REJECTED' ? execution.reason : execution.status;
};

describe('a batch in which an account', () => {
  it('pays what it has is taken, so that the rejections below are for what they say', async () => {
    const operation = alice.pay(bob, 0, 60n, 3) as Extract<RollupOperation, { kind: 'createMoneyOrder' }>;
    expect(await isTaken(operation, effectsOf(1, { balances: new Map() }, operation.order))).toBe(true);
    const redemption = bob.redeem(paid, PAID, 1);
    const effects = effectsOf(2, { balances: new Map([[0, 40n]]), redemptionIndex: PAID });
    expect(await isTaken(redemption, effects)).toBe(true);
  });

  it.each([61n, 2n ** 64n - 1n])('pays %s of the 60 that it has is refused', async (amount) => {
    const operation = alice.pay(bob, 0, amount, 3) as Extract<RollupOperation, { kind: 'createMoneyOrder' }>;
    const balances = new Map([[0, FIELD_MODULUS + 60n - amount]]);
    expect(reasonOf(operation)).toBe('BALANCE_TOO_LOW');
    expect(await isTaken(operation, effectsOf(1, { balances }, operation.order))).toBe(false);
    const outbound = alice.transferOut(address, 0, amount, 3);
    expect(reasonOf(outbound)).toBe('BALANCE_TOO_LOW');
    expect(await isTaken(outbound, effectsOf(1, { balances }))).toBe(false);
  });

  it('pays an amount that makes it richer is refused', async () => {
    const amount = FIELD_MODULUS - 1000n;
    const operation = alice.pay(bob, 0, amount, 3) as Extract<RollupOperation, { kind: 'createMoneyOrder' }>;
    expect(await isTaken(operation, effectsOf(1, { balances: new Map([[0, 1060n]]) }, operation.order))).toBe(
      false,
    );
  });

  it('pays with a token that it does not have is refused', async () => {
    const operation = alice.pay(bob, 1, 60n, 3) as Extract<RollupOperation, { kind: 'createMoneyOrder' }>;
    const balances = new Map([[0, 60n], [1, FIELD_MODULUS - 60n]]); // prettier-ignore
    expect(reasonOf(operation)).toBe('BALANCE_TOO_LOW');
    expect(await isTaken(operation, effectsOf(1, { balances }, operation.order))).toBe(false);
    expect(await isTaken(operation, effectsOf(1, { balances: new Map() }, operation.order))).toBe(false);
  });

  it('keeps what it pays, or makes an order of more, is refused', async () => {
    const operation = alice.pay(bob, 0, 60n, 3) as Extract<RollupOperation, { kind: 'createMoneyOrder' }>;
    const more = { ...operation.order, amount: 61n };
    expect(await isTaken(operation, effectsOf(1, {}, operation.order))).toBe(false);
    expect(await isTaken(operation, effectsOf(1, { balances: new Map() }, more))).toBe(false);
  });

  it('leaves out a nonce or repeats one is refused', async () => {
    for (const [nonce, reason] of [
      [4, 'WAITING'],
      [2, 'NONCE_TOO_LOW'],
      [1, 'NONCE_TOO_LOW'],
    ] as const) {
      // prettier-ignore
      const operation = alice.transferOut(address, 0, 1n, nonce);
      expect(reasonOf(operation)).toBe(reason);
      const balances = new Map([[0, 59n]]);
      expect(await isTaken(operation, effectsOf(1, { nonce, balances }))).toBe(false);
      expect(await isTaken(operation, effectsOf(1, { balances }))).toBe(false);
    }
  });

  it('has its money moved by a signature of another is refused', async () => {
    const forged = bob.transferOut(address, 0, 1n, 3) as Extract<
      RollupOperation,
      { kind: 'outboundTransfer' }
    >;
    const operation = { ...forged, fromAccountId: 1 };
    expect(await isTaken(operation, effectsOf(1, { balances: new Map([[0, 59n]]) }))).toBe(false);
  });

  it('pays another address than was signed is refused', async () => {
    const signed = alice.transferOut(address, 0, 1n, 3) as Extract<
      RollupOperation,
      { kind: 'outboundTransfer' }
    >;
    const other = '0xca843569e3427144cead5e4d5999a3d0ccf92b8f' as never;
    const effects = effectsOf(1, { balances: new Map([[0, 59n]]) });
    expect(await isTaken(signed, effects)).toBe(true);
    expect(await isTaken({ ...signed, toEthereumAddress: other }, effects)).toBe(false);
  });

  it('uses a signature that was made for another rollup is refused', async () => {
    const elsewhere = new RollupUser(1, operatorKey, domain + 1n, draw, alice.secretKey, alice.encryptionKey);
    const effects = effectsOf(1, { balances: new Map([[0, 59n]]) });
    expect(await isTaken(elsewhere.transferOut(address, 0, 1n, 3), effects)).toBe(false);
  });

  it('changes its key, its nonce alone or its blinding factor in passing is refused', async () => {
    const operation = alice.transferOut(address, 0, 1n, 3);
    const balances = new Map([[0, 59n]]);
    for (const change of [
      { publicKey: bob.publicKey },
      { jointKey: bob.jointKey },
      { blindingFactor: 1n },
      { redemptionIndex: 1 },
      { nonce: 4 },
      { id: 2 },
    ]) {
      expect([change, await isTaken(operation, effectsOf(1, { balances, ...change }))]).toEqual([
        change,
        false,
      ]);
    }
  });
});

describe('a batch that redeems', () => {
  const redeemed = totalIndex(3, 0);

  it('an order for the second time is refused', async () => {
    const operation = alice.redeem(inboundMoneyOrder(deposit(0, alice, 0, 100n)), redeemed, 3);
    expect(reasonOf(operation)).toBe('MONEY_ORDER_ALREADY_REDEEMED');
    const effects = effectsOf(1, { balances: new Map([[0, 160n]]), redemptionIndex: redeemed });
    expect(await isTaken(operation, effects)).toBe(false);
  });

  it('an order that is not there, or is for more, is refused', async () => {
    for (const [order, index] of [
      [{ ...paid, amount: 41n }, PAID],
      [{ ...paid, blindingFactor: 1n }, PAID],
      [paid, totalIndex(6, 1)],
      [paid, totalIndex(7, 0)],
      [paid, totalIndex(5, 0)],
    ] as const) {
      const operation = bob.redeem(order, index, 1);
      expect(reasonOf(operation)).toBe('MONEY_ORDER_NOT_FOUND');
      const effects = effectsOf(2, { balances: new Map([[0, order.amount]]), redemptionIndex: index });
      expect(await isTaken(operation, effects)).toBe(false);
    }
  });

  it('an order for another account is refused', async () => {
    const operation = alice.redeem({ ...paid, toAccountId: 1 }, PAID, 3);
    expect(reasonOf(operation)).toBe('MONEY_ORDER_NOT_FOUND');
    const effects = effectsOf(1, { balances: new Map([[0, 100n]]), redemptionIndex: PAID });
    expect(await isTaken(operation, effects)).toBe(false);
    const kept = { ...alice.redeem(paid, PAID, 3), order: paid } as RollupOperation;
    expect(await isTaken(kept, { ...effects, before: account(1) })).toBe(false);
  });

  it('without saying so in the redemption index, or credits more, is refused', async () => {
    const operation = bob.redeem(paid, PAID, 1);
    const balances = new Map([[0, 40n]]);
    for (const change of [
      { balances },
      { balances, redemptionIndex: PAID - 1 },
      { balances: new Map([[0, 41n]]), redemptionIndex: PAID },
      { balances: new Map([[1, 40n]]), redemptionIndex: PAID },
    ]) {
      expect([change, await isTaken(operation, effectsOf(2, change))]).toEqual([change, false]);
    }
  });

  it('past an order that is open is taken by the circuit, so the operator refuses it: it would be forfeited', async () => {
    const last = applyBatch(state, { ...state.next, domain, size: 1 }, [deposit(2, alice, 0, 5n)]);
    expect(state.hasOpenOrder(1, account(1).redemptionIndex, totalIndex(7, 0))).toBe(true);
    expect(last.results[0]?.status).toBe('EXECUTED');
    const view = { ...state.executionView(domain), order: () => last.orders[0] };
    const operation = alice.redeem(depositOrder(deposit(2, alice, 0, 5n)), totalIndex(7, 0), 3);
    expect(executeOperation(view, operation)).toEqual({
      status: 'REJECTED',
      reason: 'EARLIER_MONEY_ORDER_OPEN',
    });
  });
});

describe('a batch that creates an account', () => {
  const created = (who: RollupUser, change: Partial<Account> = {}): Effects => {
    const { id, publicKey, jointKey } = who;
    const { blindingFactor } = who.create() as Extract<RollupOperation, { kind: 'createAccount' }>;
    const fresh = {
      id,
      publicKey,
      jointKey,
      blindingFactor,
      nonce: 0,
      redemptionIndex: 0,
      balances: new Map(),
      consent: NO_CONSENT,
    };
    return { before: undefined, after: { ...fresh, ...change }, order: undefined };
  };

  it('is taken when the account is new', async () => {
    expect(await isTaken(carol.create(), created(carol))).toBe(true);
  });

  it('over one that exists, or as the external account, is refused', async () => {
    const thief = new RollupUser(1, operatorKey, domain, draw);
    expect(reasonOf(thief.create())).toBe('ACCOUNT_ALREADY_EXISTS');
    expect(await isTaken(thief.create(), created(thief))).toBe(false);
    const external = new RollupUser(0, operatorKey, domain, draw);
    expect(reasonOf(external.create())).toBe('ACCOUNT_NOT_FOUND');
    expect(await isTaken(external.create(), created(external))).toBe(false);
  });

  it.each([
    { balances: new Map([[0, 5n]]) },
    { nonce: 1 },
    { redemptionIndex: 7 },
    { blindingFactor: 1n },
    { jointKey: bob.jointKey },
    { publicKey: bob.publicKey },
  ])('with more than it was signed with is refused: %p', async (change) => {
    expect(await isTaken(carol.create(), created(carol, change))).toBe(false);
  });
});

it('a batch that makes another order of a deposit than was registered is refused', async () => {
  const operation = deposit(2, bob, 0, 5n);
  const order = inboundMoneyOrder(operation);
  const nothing = { before: undefined, after: undefined };
  expect(await isTaken(operation, { ...nothing, order })).toBe(true);
  for (const change of [
    { amount: 6n },
    { toAccountId: 1 },
    { tokenId: 1 },
    { blindingFactor: 3n },
    { fromAccountId: 1 },
  ]) {
    expect(await isTaken(operation, { ...nothing, order: { ...order, ...change } })).toBe(false);
  }
  expect(() =>
    assembleBatch(state, { ...state.next, domain, size: 1 }, [
      { operation: deposit(3, bob, 0, 5n), effects: { ...nothing, order } },
    ]),
  ).toThrow(/deposit 2 is next/);
});
