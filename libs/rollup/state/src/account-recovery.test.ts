import { describe, expect, it } from '@jest/globals';
import { multiplyGenerator, totalIndex } from '@tetrad/rollup-crypto';
import { parseAddress } from '@tetrad/types';
import { operationHeader } from '@tetrad/rollup-circuits';
import type { AccountEvent } from './account-event.js';
import { AccountRecovery, RecoveryError, type RecoverableBatch } from './account-recovery.js';
import { applyBatch, type Batch } from './batch.js';
import { MemoryState } from './memory-state.js';
import type { RollupOperation } from './rollup-operation.js';
import { RollupUser, deposit, depositOrder } from './testing/rollup-user.js';

const domain = 5n;
const operatorKey = multiplyGenerator(8n);
let seed = 11n;
const draw = () => (seed = (seed * 0x5851f42d4c957f2dn + 1n) % 2n ** 250n);
const address = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
const [alice, bob] = [1, 2].map((id) => new RollupUser(id, operatorKey, domain, draw)) as [
  RollupUser,
  RollupUser,
];

/** What the contract publishes of it. */
function publishedOf({ publicInputs, ciphertexts }: Batch): RecoverableBatch {
  const { height, nextStateRoot, ordersRoot, operations } = publicInputs;
  return {
    height,
    nextStateRoot,
    ordersRoot,
    ciphertexts: ciphertexts.flat(),
    headers: operations.map(operationHeader),
    leaves: operations.map(({ leaf }) => leaf),
    orders: operations.map(({ order }) => order),
    recipients: operations.map(({ toAddress }) =>
      parseAddress(`0x${toAddress.toString(16).padStart(40, '0')}`),
    ),
  };
}

function history() {
  const state = new MemoryState();
  const batches: RecoverableBatch[] = [];
  const apply = (...operations: RollupOperation[]) => {
    const batch = applyBatch(state, { ...state.next, domain, size: 3 }, operations);
    expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
    state.commit(batch);
    batches.push(publishedOf(batch));
    return batch;
  };
  const [first, second] = [deposit(0, alice, 0, 100n), deposit(1, alice, 7, 30n)];
  apply(alice.create(), bob.create());
  apply(first, second);
  apply(
    alice.redeem(depositOrder(first), totalIndex(2, 0), 1),
    alice.redeem(depositOrder(second), totalIndex(2, 1), 2),
  );
  // Rejected, and replaced, before it was executed: the one that counts is the twenty-first attempt.
  for (let attempt = 0; attempt < 20; attempt += 1) alice.pay(bob, 0, 1n, 3);
  const paid = apply(alice.pay(bob, 0, 60n, 3), alice.transferOut(address, 7, 30n, 4));
  const [result] = paid.results;
  if (result?.status !== 'EXECUTED') throw new Error('the order was not made');
  apply(bob.pay(alice, 0, 0n, 1), bob.redeem(result.effects.order!, totalIndex(4, 0), 2));
  apply(bob.pay(alice, 0, 5n, 3), deposit(2, bob, 1, 9n));
  return { state, batches };
}

const { state, batches } = history();
const recover = (user: RollupUser, upTo = batches.length) => {
  const { secretKey, encryptionKey } = user;
  const recovery = new AccountRecovery({ domain, secretKey, encryptionKey, operatorKeys: [operatorKey] });
  const events = batches.slice(0, upTo).flatMap((batch) => recovery.apply(batch));
  return Object.assign(recovery, { events });
};

const saidOf = (event: AccountEvent) => {
  if ('order' in event) return event.order.amount;
  if ('amount' in event) return event.amount;
  return event.kind === 'created' ? event.accountId : event.consent;
};

describe('from its keys and what the contract published', () => {
  it('an account finds its state: what it was paid, what it sent, what left', () => {
    for (const user of [alice, bob]) expect(recover(user).own).toEqual(state.account(user.id));
    expect(recover(alice).own?.balances).toEqual(new Map([[0, 40n]]));
  });

  it('an account finds the orders that it can redeem, deposits too', () => {
    expect(recover(alice).openOrders.map(({ order, totalIndex: at }) => [order.amount, at])).toEqual([
      [0n, totalIndex(5, 0)],
      [5n, totalIndex(6, 0)],
    ]);
    expect(recover(bob).openOrders.map(({ order }) => order.amount)).toEqual([9n]);
    expect(recover(bob, 4).openOrders.map(({ order }) => order.amount)).toEqual([60n]);
  });

  it('an account holder can build the next batch alone, and it is the same that the operator would build', () => {
    const recovery = recover(bob);
    const [open] = recovery.openOrders;
    const operations = [bob.redeem(open!.order, open!.totalIndex, 4), bob.transferOut(address, 1, 9n, 5)];
    const plan = { ...recovery.next, domain, size: 3 };
    expect(plan).toEqual({ ...state.next, domain, size: 3 });
    expect(applyBatch(recovery, plan, operations)).toEqual(applyBatch(state, plan, operations));
  });

  it('an account reads its whole history, in order', () => {
    const briefly = ({ events }: { readonly events: readonly AccountEvent[] }) =>
      events.map((event) => [event.kind, event.totalIndex, saidOf(event)]);
    expect(briefly(recover(alice))).toEqual([
      ['created', totalIndex(1, 0), 1],
      ['received', totalIndex(2, 0), 100n],
      ['received', totalIndex(2, 1), 30n],
      ['redeemed', totalIndex(3, 0), 100n],
      ['redeemed', totalIndex(3, 1), 30n],
      ['sent', totalIndex(4, 0), 60n],
      ['withdrawn', totalIndex(4, 1), 30n],
      ['received', totalIndex(5, 0), 0n],
      ['received', totalIndex(6, 0), 5n],
    ]);
    expect(recover(alice).events[6]).toMatchObject({ toEthereumAddress: address, tokenId: 7, nonce: 4 });
    expect(recover(alice).events[4]).toMatchObject({ orderIndex: totalIndex(2, 1), nonce: 2 });
    expect(briefly(recover(bob)).slice(1)).toEqual([
      ['received', totalIndex(4, 0), 60n],
      ['sent', totalIndex(5, 0), 0n],
      ['redeemed', totalIndex(5, 1), 60n],
      ['sent', totalIndex(6, 0), 5n],
      ['received', totalIndex(6, 1), 9n],
    ]);
  });

  it('an account finds itself and what it sent, whichever of the announced keys it and its receivers have', () => {
    const { secretKey, encryptionKey } = alice;
    const others = [1n, 2n].map(multiplyGenerator);
    for (const operatorKeys of [
      [operatorKey, ...others],
      [...others, operatorKey],
    ]) {
      const recovery = new AccountRecovery({ domain, secretKey, encryptionKey, operatorKeys });
      for (const batch of batches) recovery.apply(batch);
      expect(recovery.own).toEqual(state.account(alice.id));
    }
    const without = new AccountRecovery({ domain, secretKey, encryptionKey, operatorKeys: others });
    for (const batch of batches) without.apply(batch);
    expect(without.own).toBeUndefined();
  });

  it('an account is not found with other keys', () => {
    expect(recover(new RollupUser(1, operatorKey, domain, draw)).own).toBeUndefined();
  });

  it('an order whose factor was not derived from the key is named, not guessed', () => {
    const elsewhere = new AccountRecovery({
      domain: domain + 1n,
      secretKey: alice.secretKey,
      encryptionKey: alice.encryptionKey,
      operatorKeys: [operatorKey],
    });
    for (const batch of batches.slice(0, 3)) elsewhere.apply(batch);
    expect(() => elsewhere.apply(batches[3]!)).toThrow(RecoveryError);
    expect(() => recover(alice, 3).apply({ ...batches[3]!, height: 9 })).toThrow(/batch 4 is next/);
  });
});

describe('from its keys and what the contract published, with consents', () => {
  const [payer, receiver] = [1, 2].map((id) => new RollupUser(id, operatorKey, domain, draw)) as [
    RollupUser,
    RollupUser,
  ];
  const credited = () => {
    const rollup = new MemoryState();
    const published: RecoverableBatch[] = [];
    const made: Batch[] = [];
    const apply = (...operations: RollupOperation[]) => {
      const batch = applyBatch(rollup, { ...rollup.next, domain, size: 4 }, operations);
      expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
      rollup.commit(batch);
      made.push(batch);
      published.push(publishedOf(batch));
    };
    const [first, second] = [deposit(0, payer, 0, 100n), deposit(1, receiver, 0, 30n)];
    const paid = payer.payDirectly(receiver, 0, 60n, 2);
    if (paid.kind !== 'createMoneyOrder') throw new TypeError('no payment');
    const terms = { minimum: 30n, untilHeight: 9, tokenId: 0, secret: 77n };
    apply(payer.create(), receiver.create(), first);
    apply(payer.redeem(depositOrder(first), totalIndex(1, 2), 1), receiver.setConsent(terms, 1));
    apply(paid, { kind: 'credit', order: paid.order } as const, second, {
      kind: 'credit',
      order: depositOrder(second),
    } as const);
    apply(payer.payDirectly(receiver, 0, 5n, 3), receiver.setConsent(undefined, 2));
    return { rollup, published, made, terms };
  };
  const { rollup, published, made, terms } = credited();
  const recovered = ({ secretKey, encryptionKey }: RollupUser, list = published) => {
    const recovery = new AccountRecovery({ domain, secretKey, encryptionKey, operatorKeys: [operatorKey] });
    const events = list.flatMap((batch) => recovery.apply(batch));
    return { recovery, events };
  };

  it('an account finds what was credited to it, and by which consent', () => {
    const { recovery, events } = recovered(receiver);
    expect(recovery.own).toEqual(rollup.account(2));
    expect(recovery.own?.balances).toEqual(new Map([[0, 90n]]));
    expect(events.slice(1)).toMatchObject([
      { kind: 'consentChanged', terms, nonce: 1, totalIndex: totalIndex(2, 1) },
      { kind: 'credited', fromAccountId: 1, tokenId: 0, amount: 60n, totalIndex: totalIndex(3, 1) },
      { kind: 'credited', fromAccountId: 0, tokenId: 0, amount: 30n, totalIndex: totalIndex(3, 3) },
      { kind: 'received', order: { amount: 5n }, totalIndex: totalIndex(4, 0) },
      { kind: 'consentChanged', consent: 0n, terms: undefined, nonce: 2 },
    ]);
    expect(recovery.openOrders.map(({ order }) => order.amount)).toEqual([5n]);
    const half = recovered(receiver, published.slice(0, 3)).recovery;
    expect(half.own?.consentTerms).toEqual(terms);
    expect(half.next).toEqual({ height: 4, inboundFrom: 2, hasConsents: true });
  });

  it('an account finds what it paid, credited or not', () => {
    const { recovery, events } = recovered(payer);
    expect(recovery.own).toEqual(rollup.account(1));
    const sent = events.filter(({ kind }) => kind === 'sent');
    expect(sent).toMatchObject([
      { order: { amount: 60n }, isCredited: true },
      { order: { amount: 5n }, nonce: 3 },
    ]);
    expect(sent[1]).not.toHaveProperty('isCredited');
  });

  it('a credit that is not what its word says is named', () => {
    const third = published[2] as RecoverableBatch;
    const word = third.ciphertexts[15] as bigint;
    for (const change of [1n, 2n ** 64n, -word]) {
      const ciphertexts = third.ciphertexts.with(15, word + change);
      const list = published.with(2, { ...third, ciphertexts }).slice(0, 3);
      expect(() => recovered(receiver, list)).toThrow(/the credit after nonce 1 in batch 3 cannot be read/);
    }
  });

  it('a credit is followed whatever is behind its word, which the circuit does not look at', () => {
    const third = published[2] as RecoverableBatch;
    for (const filling of [1n, 2n ** 253n]) {
      const ciphertexts = third.ciphertexts.map((word, place) =>
        place % 30 > 15 && place % 30 < 30 ? filling : word,
      );
      const { recovery } = recovered(receiver, [...published.slice(0, 2), { ...third, ciphertexts }]);
      expect(recovery.own?.balances).toEqual(new Map([[0, 90n]]));
    }
    expect(made[2]?.publicInputs.operations.map(({ kind }) => kind)).toEqual([
      'createMoneyOrder',
      'credit',
      'inboundTransfer',
      'credit',
    ]);
  });
});
