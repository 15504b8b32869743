import { totalIndex, type ConsentTerms } from '@tetrad/rollup-crypto';
import { MemoryState, type RollupOperation } from '@tetrad/rollup-state';
import { deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { AuditedRollup, holders, settle, type Holder } from './audited-rollup.js';

export const FIRST: ConsentTerms = { tokenId: 0, minimum: 5n, untilHeight: 90, secret: 11n };
export const SECOND: ConsentTerms = { ...FIRST, minimum: 1n, secret: 12n };

/**
 * Six batches in which Bob, who has account 2, is credited: by his first consent what Alice pays, by his second one a deposit; with
 * what came he pays her, who has a consent as well.
 */
export function creditedHistory() {
  const rollup = new AuditedRollup();
  const state = new MemoryState();
  const [alice, bob] = holders(2) as [Holder, Holder];
  const apply = (...operations: RollupOperation[]) => settle(rollup, state, operations);
  const came = deposit(0, alice, 0, 100n);
  apply(alice.create(), bob.create());
  apply(came, bob.setConsent(FIRST, 1), alice.setConsent({ ...FIRST, secret: 13n }, 1));
  apply(alice.redeem(depositOrder(came), totalIndex(2, 0), 2));
  apply(...paid(alice, bob, 40n, 3));
  const second = deposit(1, bob, 0, 3n);
  apply(bob.setConsent(SECOND, 2), second, { kind: 'credit', order: depositOrder(second) });
  apply(...paid(bob, alice, 7n, 3), bob.setConsent(undefined, 4));
  return { rollup, state, alice, bob };
}

function paid(from: Holder, to: Holder, amount: bigint, nonce: number): RollupOperation[] {
  const payment = from.payDirectly(to, 0, amount, nonce);
  if (payment.kind !== 'createMoneyOrder') throw new TypeError('it is a payment');
  return [payment, { kind: 'credit', order: payment.order }];
}
