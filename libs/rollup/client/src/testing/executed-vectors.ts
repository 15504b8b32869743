import { MemoryState, applyBatch, type Batch, type RollupOperation } from '@tetrad/rollup-state';
import { DEPOSIT, SIGNED } from './signed-vectors.js';

const SIZE = 2;
/** Where the payment is. */
export const PAYMENT = { batchHeight: 4, index: 0 };

/** The operations of the vectors, with a deposit and a credit, in batches. */
export interface ExecutedVectors {
  readonly state: MemoryState;
  readonly batches: readonly Batch[];
}

/** @param operations - those of `signedVectors` */
export function executedVectors(operations: readonly RollupOperation[]): ExecutedVectors {
  const [alice, bob, redemption, payment, transfer, consent, direct] = operations as [
    ...[RollupOperation, RollupOperation, RollupOperation, RollupOperation, RollupOperation],
    ...[RollupOperation, RollupOperation],
  ];
  if (direct.kind !== 'createMoneyOrder') throw new TypeError('the last vector is not a payment');
  const state = new MemoryState();
  const batches = [
    [alice, bob],
    [{ kind: 'inboundTransfer', ...DEPOSIT } as const],
    [redemption],
    [payment, transfer],
    [consent],
    [direct, { kind: 'credit', order: direct.order } as const],
  ].map((batch) => apply(state, batch));
  return { state, batches };
}

function apply(state: MemoryState, operations: readonly RollupOperation[]): Batch {
  const batch = applyBatch(state, { ...state.next, domain: SIGNED.domain, size: SIZE }, operations);
  if (batch.results.some(({ status }) => status !== 'EXECUTED')) throw new Error('a vector is not executed');
  state.commit(batch);
  return batch;
}
