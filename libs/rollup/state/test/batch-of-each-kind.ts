import { multiplyGenerator, totalIndex, type OperationKind } from '@tetrad/rollup-crypto';
import { seededRandom } from '@tetrad/testkit';
import { applyBatch, type Batch } from '../src/batch.js';
import { MemoryState } from '../src/memory-state.js';
import type { RollupOperation } from '../src/rollup-operation.js';
import { RollupUser, deposit, depositOrder } from '../src/testing/rollup-user.js';

const DOMAIN = 2n ** 248n - 159n;

/** One batch of one operation for each kind, all of one history. In: tokenId — that they are in */
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
  const apply = (operation: RollupOperation | undefined) => {
    const operations = operation === undefined ? [] : [operation];
    const batch = applyBatch(state, { ...state.next, domain: DOMAIN, size: 1 }, operations);
    state.commit(batch);
    if (batch.results.some(({ status }) => status !== 'EXECUTED'))
      throw new Error('an operation was not executed');
    batches.set(operation?.kind ?? 'noOp', batch);
  };
  const incoming = deposit(0, alice, tokenId, 1000n);
  apply(bob.create());
  apply(alice.create());
  apply(incoming);
  apply(alice.redeem(depositOrder(incoming), totalIndex(3, 0), 1));
  apply(alice.pay(bob, tokenId, 400n, 2));
  apply(alice.transferOut('0xca843569e3427144cead5e4d5999a3d0ccf92b8e', tokenId, 7n, 3));
  apply(undefined);
  return batches;
}
