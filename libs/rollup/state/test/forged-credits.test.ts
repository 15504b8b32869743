import { beforeAll, describe, expect, it } from '@jest/globals';
import { NO_CONSENT, consentHash, operationHash, sign, totalIndex } from '@tetrad/rollup-crypto';
import { balanceOf, type Account } from '../src/account.js';
import { executeOperation } from '../src/execution.js';
import type { RollupOperation } from '../src/rollup-operation.js';
import { RollupUser, deposit, depositOrder } from '../src/testing/rollup-user.js';
import {
  Forgery,
  MINIMUM,
  TERMS,
  UNTIL,
  alice,
  apply,
  base,
  bob,
  carol,
  consented,
  domain,
  draw,
  openSolver,
  operatorKey,
  type Change,
  type Payment,
} from './forgery.js';

/**
 * What an operator without scruples would like to do with the consents of others. Each batch is consistent in itself: leaves, roots and
 * hashes are those of its effects, and what is signed is signed.
 */

beforeAll(openSolver, 120_000);

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
