import { multiplyGenerator, totalIndex, type MoneyOrder, type OperationKind } from '@tetrad/rollup-crypto';
import { seededRandom } from '@tetrad/testkit';
import { applyBatch, type Batch } from '../src/batch.js';
import { MemoryState } from '../src/memory-state.js';
import type { RollupOperation } from '../src/rollup-operation.js';
import { RollupUser, deposit, depositOrder } from '../src/testing/rollup-user.js';

const DOMAIN = 2n ** 248n - 159n;
/** Of the consent, which is the least and the last that lets the credit be. */
const CREDITED = 30n;
const CREDIT_HEIGHT = 9;

/** Where in its batch the operation is that the batch is for: a credit has the payment before it. */
export const placeOf = (kind: OperationKind): number => (kind === 'credit' ? 1 : 0);
/** Operations of that batch. */
export const sizeOf = (kind: OperationKind): 1 | 2 => (kind === 'credit' ? 2 : 1);

/**
 * One batch for each kind, all of one history: of one operation, or of two of which the second is a credit.
 * @param tokenId - that they are in
 */
export function batchOfEachKind(seed = 3, tokenId = 3): ReadonlyMap<OperationKind, Batch> {
  const random = seededRandom(seed);
  const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
  const operatorKey = multiplyGenerator(17n);
  const [alice, bob] = [1, 2].map((id) => new RollupUser(id, operatorKey, DOMAIN, draw)) as [
    RollupUser,
    RollupUser,
  ];
  const state = new MemoryState();
  const batches = new Map<OperationKind, Batch>();
  const apply = (...operations: RollupOperation[]) => {
    const size = Math.max(operations.length, 1);
    const batch = applyBatch(state, { ...state.next, domain: DOMAIN, size }, operations);
    state.commit(batch);
    if (batch.results.some(({ status }) => status !== 'EXECUTED'))
      throw new Error('an operation was not executed');
    batches.set(operations.at(-1)?.kind ?? 'noOp', batch);
  };
  const incoming = deposit(0, alice, tokenId, 1000n);
  apply(bob.create());
  apply(alice.create());
  apply(incoming);
  apply(alice.redeem(depositOrder(incoming), totalIndex(3, 0), 1));
  apply(alice.pay(bob, tokenId, 400n, 2));
  apply(alice.transferOut('0xca843569e3427144cead5e4d5999a3d0ccf92b8e', tokenId, 7n, 3));
  apply();
  apply(bob.setConsent({ minimum: CREDITED, untilHeight: CREDIT_HEIGHT, tokenId }, 1));
  const paid = alice.payDirectly(bob, tokenId, CREDITED, 4);
  apply(paid, { kind: 'credit', order: orderOf(paid) });
  return batches;
}

function orderOf(operation: RollupOperation): MoneyOrder {
  if (operation.kind !== 'createMoneyOrder') throw new TypeError('no payment');
  return operation.order;
}
