import { beforeAll, describe, expect, it } from '@jest/globals';
import { WitnessError, WitnessSolver, compileCircuit } from '@tetrad/rollup-circuits';
import {
  NO_CONSENT,
  consentHash,
  inboundMoneyOrder,
  multiplyGenerator,
  operationHash,
  sign,
  totalIndex,
  type ConsentTerms,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { seededRandom } from '@tetrad/testkit';
import { balanceOf, changedBalances, type Account } from '../src/account.js';
import { applyBatch, assembleBatch, type AssembledStep } from '../src/batch.js';
import { executeOperation } from '../src/execution.js';
import { MemoryState } from '../src/memory-state.js';
import type { RollupOperation } from '../src/rollup-operation.js';
import { RollupUser, deposit, depositOrder } from '../src/testing/rollup-user.js';

/**
 * What an operator without scruples would like to do with the consents of others. Each batch is consistent in itself: leaves, roots and
 * hashes are those of its effects, and what is signed is signed.
 */

const domain = 4711n;
const SIZE = 4;
const random = seededRandom(6);
const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
const operatorKey = multiplyGenerator(17n);
const [alice, bob, carol] = [1, 2, 3].map((id) => new RollupUser(id, operatorKey, domain, draw)) as [
  ...[RollupUser, RollupUser, RollupUser],
];
const MINIMUM = 10n;
/** The consents of the accounts are to token 0 up to this batch. */
const UNTIL = 8;
const SECRET = 4n ** 100n;
const TERMS: ConsentTerms = { minimum: MINIMUM, untilHeight: UNTIL, tokenId: 0, secret: SECRET };

type Payment = Extract<RollupOperation, { kind: 'createMoneyOrder' }>;
type Change = Extract<RollupOperation, { kind: 'setConsent' }>;

let solver: WitnessSolver;
beforeAll(async () => {
  solver = await WitnessSolver.open(await compileCircuit(SIZE));
}, 120_000);

function apply(state: MemoryState, ...operations: RollupOperation[]): void {
  const batch = applyBatch(state, { ...state.next, domain, size: SIZE }, operations);
  state.commit(batch);
  expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
}

/** Alice has 100 of token 0 and 50 of token 1; bob and carol have consents, and batch 5 is next. */
function consented(): MemoryState {
  const state = new MemoryState();
  const [first, second] = [deposit(0, alice, 0, 100n), deposit(1, alice, 1, 50n)];
  apply(state, alice.create(), bob.create(), carol.create());
  apply(state, first, second);
  apply(
    state,
    alice.redeem(depositOrder(first), totalIndex(2, 0), 1),
    alice.redeem(depositOrder(second), totalIndex(2, 1), 2),
  );
  apply(state, bob.setConsent(TERMS, 1), carol.setConsent({ ...TERMS, secret: SECRET + 1n }, 1));
  return state;
}

const base = consented();

/** What batches are made of: each step is on the state that the steps before it leave. */
class Forgery {
  private readonly accounts = new Map<number, Account>();
  private readonly steps: (AssembledStep | 'noOp')[] = [];

  constructor(private readonly state = base) {}

  account(id: number): Account {
    return this.accounts.get(id) ?? (this.state.account(id) as Account);
  }

  add(operation: RollupOperation, id: number, change: Partial<Account>, order?: MoneyOrder): this {
    const before = this.account(id);
    const after = { ...before, ...change };
    this.accounts.set(id, after);
    this.steps.push({ operation, effects: { before, after, order } });
    return this;
  }

  pay(payment: Payment): this {
    const { order, nonce } = payment;
    const balances = changedBalances(this.account(order.fromAccountId), order.tokenId, -order.amount);
    return this.add(payment, order.fromAccountId, { nonce, balances }, order);
  }

  /** @param change - what the receiver has afterwards besides the amount */
  credit(order: MoneyOrder, change: Partial<Account> = {}): this {
    const balances = changedBalances(this.account(order.toAccountId), order.tokenId, order.amount);
    return this.add({ kind: 'credit', order }, order.toAccountId, { balances, ...change });
  }

  deposit(operation: ReturnType<typeof deposit>): this {
    const order = inboundMoneyOrder(operation);
    this.steps.push({ operation, effects: { before: undefined, after: undefined, order } });
    return this;
  }

  /** What holds before what follows, true or not. */
  pretend(id: number, change: Partial<Account>): this {
    this.accounts.set(id, { ...this.account(id), ...change });
    return this;
  }

  skip(): this {
    this.steps.push('noOp');
    return this;
  }

  /** Whether the circuit takes it. */
  async isTaken(): Promise<boolean> {
    const { witness } = assembleBatch(this.state, { ...this.state.next, domain, size: SIZE }, this.steps);
    try {
      await solver.solve(witness);
      return true;
    } catch (error) {
      if (!(error instanceof WitnessError)) throw error;
      return false;
    }
  }
}

const paid = (amount = 20n, to = bob, tokenId = 0) => alice.payDirectly(to, tokenId, amount, 3) as Payment;
const onTime = () => new Forgery();

describe('a payment with a credit', () => {
  it('is taken where both let it be, so that the refusals below are for what they say', async () => {
    for (const amount of [MINIMUM, 20n, 100n]) {
      const payment = paid(amount);
      expect(await onTime().pay(payment).credit(payment.order).isTaken()).toBe(true);
    }
    const came = deposit(2, bob, 0, MINIMUM);
    expect(await onTime().deposit(came).credit(depositOrder(came)).isTaken()).toBe(true);
    const [first, second] = [paid(), alice.payDirectly(carol, 0, 30n, 4) as Payment];
    const both = onTime().pay(first).credit(first.order).pay(second).credit(second.order);
    expect(await both.isTaken()).toBe(true);
  });

  it('is refused for another receiver than it is for', async () => {
    const payment = paid(20n, carol);
    for (const order of [
      { ...payment.order, toAccountId: 2 },
      { ...payment.order, toAccountId: 2, blindingFactor: 1n },
    ])
      expect(await onTime().pay(payment).credit(order).isTaken()).toBe(false);
    const came = deposit(2, carol, 0, 20n);
    const stolen = { ...depositOrder(came), toAccountId: 2 };
    expect(await onTime().deposit(came).credit(stolen).isTaken()).toBe(false);
  });

  it('is refused for another amount, token or payer', async () => {
    const payment = paid();
    for (const change of [
      { amount: 21n },
      { amount: 19n },
      { amount: 2n ** 64n - 1n },
      { tokenId: 1 },
      { fromAccountId: 3 },
      { fromAccountId: 0 },
    ])
      expect([
        change,
        await onTime()
          .pay(payment)
          .credit({ ...payment.order, ...change })
          .isTaken(),
      ]).toEqual([change, false]);
  });

  it('is refused a second time, in the batch and in the next one', async () => {
    const { order } = paid();
    const payment = paid();
    expect(await onTime().pay(payment).credit(payment.order).credit(payment.order).isTaken()).toBe(false);
    const twice = onTime().pay(payment).credit(payment.order).skip().credit(payment.order);
    expect(await twice.isTaken()).toBe(false);
    expect(await onTime().credit(order).isTaken()).toBe(false);
    const later = consented();
    const credited = alice.payDirectly(bob, 0, 20n, 3) as Payment;
    apply(later, credited, { kind: 'credit', order: credited.order });
    expect(later.account(2)?.balances.get(0)).toBe(20n);
    expect(await new Forgery(later).credit(credited.order).isTaken()).toBe(false);
    // Nor is it an order that could be redeemed.
    const redemption = bob.redeem(credited.order, totalIndex(5, 0), 2);
    const view = later.executionView(domain);
    expect(executeOperation(view, redemption)).toMatchObject({ reason: 'MONEY_ORDER_NOT_FOUND' });
    const redeemed = new Forgery(later).add(redemption, 2, {
      nonce: 2,
      redemptionIndex: totalIndex(5, 0),
      balances: new Map([[0, 40n]]),
    });
    expect(await redeemed.isTaken()).toBe(false);
  });

  it('is refused when something is between them, or they are the other way round', async () => {
    const payment = paid();
    expect(await onTime().pay(payment).skip().credit(payment.order).isTaken()).toBe(false);
    expect(await onTime().credit(payment.order).pay(payment).isTaken()).toBe(false);
    const other = alice.payDirectly(carol, 0, 30n, 4) as Payment;
    expect(await onTime().pay(payment).pay(other).credit(payment.order).isTaken()).toBe(false);
  });

  it('is refused where the payer signed an order alone', async () => {
    const payment = alice.pay(bob, 0, 20n, 3) as Payment;
    expect(await onTime().pay(payment).credit(payment.order).isTaken()).toBe(false);
    const claimed = { ...payment, isDirect: true };
    expect(await onTime().pay(claimed).credit(payment.order).isTaken()).toBe(false);
  });

  it('is refused below the minimum, of another token, and after the last batch of the consent', async () => {
    const small = paid(MINIMUM - 1n);
    expect(await onTime().pay(small).credit(small.order).isTaken()).toBe(false);
    const other = paid(20n, bob, 1);
    expect(await onTime().pay(other).credit(other.order).isTaken()).toBe(false);
    const state = consented();
    const payment = paid();
    while (state.next.height < UNTIL) apply(state);
    expect(await new Forgery(state).pay(payment).credit(payment.order).isTaken()).toBe(true);
    apply(state);
    expect(await new Forgery(state).pay(payment).credit(payment.order).isTaken()).toBe(false);
  });

  it('is refused by terms that the account does not have', async () => {
    const payment = paid(MINIMUM - 1n);
    for (const change of [{ minimum: 0n }, { untilHeight: 9 }, { secret: 1n }]) {
      const consentTerms = { ...TERMS, ...change };
      const kept = onTime().pretend(2, { consentTerms }).pay(payment).credit(payment.order);
      expect([change, await kept.isTaken()]).toEqual([change, false]);
      const consent = consentHash(domain, consentTerms);
      const given = onTime().pretend(2, { consentTerms, consent }).pay(payment).credit(payment.order);
      expect([change, await given.isTaken()]).toEqual([change, false]);
    }
  });

  it('is refused after the consent was revoked or replaced, also in the same batch', async () => {
    const payment = paid();
    const others = [undefined, { ...TERMS, minimum: 50n }];
    for (const change of others.map((terms) => bob.setConsent(terms, 2) as Change)) {
      const { consent, terms } = change;
      const replaced = () => onTime().add(change, 2, { nonce: 2, consent, consentTerms: terms });
      const byOld = replaced().pretend(2, { consentTerms: TERMS }).pay(payment).credit(payment.order);
      expect(await byOld.isTaken()).toBe(false);
      const state = consented();
      apply(state, change);
      const later = new Forgery(state).pretend(2, { consentTerms: TERMS }).pay(payment);
      expect(await later.credit(payment.order).isTaken()).toBe(false);
    }
  });

  it('is refused by the consent of another account, or of another rollup', async () => {
    const payment = paid();
    const carols = base.account(3) as Account;
    const { consent, consentTerms } = carols;
    const lent = onTime().pretend(2, { consent, consentTerms }).pay(payment).credit(payment.order);
    expect(await lent.isTaken()).toBe(false);
    const elsewhere = new RollupUser(2, operatorKey, domain + 1n, draw, bob.secretKey, bob.encryptionKey);
    const change = elsewhere.setConsent(TERMS, 2) as Change;
    const set = { nonce: 2, consent: change.consent, consentTerms: TERMS };
    expect(await onTime().add(change, 2, set).isTaken()).toBe(false);
    // Its holder may sign the same word here: it opens to nothing in this rollup.
    const here = { ...change, signature: sign(bob.secretKey, operationHash(domain, change)) };
    expect(await onTime().add(here, 2, set).isTaken()).toBe(true);
    const credited = onTime().add(here, 2, set).pay(payment).credit(payment.order);
    expect(await credited.isTaken()).toBe(false);
  });

  it('is refused when the receiver changes in anything but its balance', async () => {
    const payment = paid();
    for (const change of [
      { nonce: 2 },
      { redemptionIndex: 65_536 },
      { blindingFactor: 1n },
      { publicKey: alice.publicKey },
      { jointKey: alice.jointKey },
      { consent: NO_CONSENT },
      { balances: new Map([[0, 21n]]) },
      { balances: new Map([[1, 20n]]) },
      { balances: new Map() },
    ])
      expect([change, await onTime().pay(payment).credit(payment.order, change).isTaken()]).toEqual([
        change,
        false,
      ]);
  });

  it('is refused where the account has another balance than is added to', async () => {
    const payment = paid();
    const richer = onTime().pretend(2, { balances: new Map([[0, 1_000n]]) });
    expect(await richer.pay(payment).credit(payment.order).isTaken()).toBe(false);
    expect(balanceOf(base.account(2) as Account, 0)).toBe(0n);
  });
});

describe('a change of a consent', () => {
  const changed = (operation: RollupOperation, nonce: number, id = 2) => {
    if (operation.kind !== 'setConsent') throw new TypeError('no consent');
    const { consent, terms: consentTerms } = operation;
    return onTime().add(operation, id, { nonce, consent, consentTerms });
  };
  const next = bob.setConsent({ ...TERMS, minimum: 1n }, 2) as Change;

  it('is taken when its holder signed it as the next operation', async () => {
    expect(await changed(next, 2).isTaken()).toBe(true);
    expect(await changed(bob.setConsent(undefined, 2), 2).isTaken()).toBe(true);
  });

  it('is refused when another signed it, or the operator another text', async () => {
    const thief = new RollupUser(2, operatorKey, domain, draw);
    expect(await changed(thief.setConsent(TERMS, 2), 2).isTaken()).toBe(false);
    const others = alice.setConsent(TERMS, 2) as Change;
    expect(await changed({ ...others, accountId: 2 }, 2).isTaken()).toBe(false);
    const { ciphertext } = bob.setConsent(TERMS, 2) as Change;
    expect(await changed({ ...next, ciphertext }, 2).isTaken()).toBe(false);
    const consent = consentHash(domain, TERMS);
    expect(await changed({ ...next, consent, terms: TERMS }, 2).isTaken()).toBe(false);
    expect(await changed({ ...next, consent: NO_CONSENT, terms: undefined }, 2).isTaken()).toBe(false);
  });

  it('is refused when it was executed before, or one before it is missing', async () => {
    const replayed = bob.setConsent(TERMS, 1);
    expect(executeOperation(base.executionView(domain), replayed)).toMatchObject({ reason: 'NONCE_TOO_LOW' });
    for (const nonce of [1, 2]) expect(await changed(replayed, nonce).isTaken()).toBe(false);
    const early = bob.setConsent(TERMS, 3);
    expect(executeOperation(base.executionView(domain), early)).toEqual({ status: 'WAITING' });
    for (const nonce of [2, 3]) expect(await changed(early, nonce).isTaken()).toBe(false);
  });

  it('is refused when anything but nonce and consent changes', async () => {
    for (const change of [
      { balances: new Map([[0, 1n]]) },
      { redemptionIndex: 1 },
      { blindingFactor: 1n },
      { publicKey: alice.publicKey },
      { consent: NO_CONSENT },
      { nonce: 1 },
    ]) {
      const { consent, terms: consentTerms } = next;
      const forged = onTime().add(next, 2, { nonce: 2, consent, consentTerms, ...change });
      expect([change, await forged.isTaken()]).toEqual([change, false]);
    }
  });

  it('is no other operation of the holder, whose consent stays', async () => {
    const out = bob.transferOut('0xca843569e3427144cead5e4d5999a3d0ccf92b8e', 0, 0n, 2);
    expect(await onTime().add(out, 2, { nonce: 2 }).isTaken()).toBe(true);
    expect(await onTime().add(out, 2, { nonce: 2, consent: NO_CONSENT }).isTaken()).toBe(false);
    expect(await onTime().add(out, 2, { nonce: 2, consent: 5n }).isTaken()).toBe(false);
  });
});
