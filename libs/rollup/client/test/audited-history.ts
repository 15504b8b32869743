import { totalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';
import { MemoryState, type Batch } from '@tetrad/rollup-state';
import { deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { AuditedRollup, holders, settle, type Holder } from './audited-rollup.js';

export const RECIPIENT = '0xca843569e3427144cead5e4d5999a3d0ccf92b8f';

/** Nine batches of three holders; Alice has account 1, and the period that she discloses is batches 5 to 8. */
export function auditedHistory(exitRules: 'freeze' | 'turns' = 'freeze') {
  const rollup = new AuditedRollup(undefined, exitRules);
  const state = new MemoryState();
  const [alice, bob, carol] = holders(3) as [Holder, Holder, Holder];
  const apply = (...operations: Parameters<typeof settle>[2]) => settle(rollup, state, operations);
  const deposits = [deposit(0, alice, 0, 100n), deposit(1, alice, 7, 30n), deposit(2, bob, 0, 50n)] as const;
  apply(alice.create(), bob.create(), carol.create());
  apply(...deposits);
  apply(
    alice.redeem(depositOrder(deposits[0]), totalIndex(2, 0), 1),
    alice.redeem(depositOrder(deposits[1]), totalIndex(2, 1), 2),
    bob.redeem(depositOrder(deposits[2]), totalIndex(2, 2), 1),
  );
  const fourth = apply(bob.pay(alice, 0, 7n, 2), bob.pay(carol, 0, 3n, 3));
  const fifth = apply(
    alice.pay(bob, 0, 60n, 3),
    alice.transferOut(RECIPIENT, 7, 30n, 4),
    bob.pay(alice, 0, 5n, 4),
  );
  apply(
    alice.redeem(orderOf(fourth, 0), totalIndex(4, 0), 5),
    bob.pay(carol, 0, 2n, 5),
    deposit(3, alice, 0, 9n),
  );
  apply(
    alice.redeem(orderOf(fifth, 2), totalIndex(5, 2), 6),
    carol.redeem(orderOf(fourth, 1), totalIndex(4, 1), 1),
  );
  apply(bob.pay(alice, 0, 1n, 6), carol.pay(bob, 0, 1n, 2));
  apply(alice.pay(bob, 0, 2n, 7), deposit(4, alice, 0, 4n));
  return { rollup, state, alice, bob, carol };
}

function orderOf({ results }: Batch, index: number): MoneyOrder {
  const [found] = results.filter((result) => result.status === 'EXECUTED' && result.index === index);
  if (found?.status !== 'EXECUTED' || found.effects.order === undefined) throw new Error('there is no order');
  return found.effects.order;
}
