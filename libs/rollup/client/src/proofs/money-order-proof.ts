import type { MoneyOrderView } from '@tetrad/api-rollup-operator';
import {
  decodeWord,
  isFieldElement,
  moneyOrderHash,
  splitTotalIndex,
  type MoneyOrder,
} from '@tetrad/rollup-crypto';
import { HISTORY_TREE_DEPTH, ORDER_TREE_DEPTH, hashPair, rootOfPath } from '@tetrad/rollup-state';
import type { Hash } from '@tetrad/types';
import { ProofError } from './account-proof.js';

/** Where the proof of a money order leads. */
export interface ProvedOrder {
  readonly order: MoneyOrder;
  readonly batchHeight: number;
  /** Root of the orders of its batch. */
  readonly ordersRoot: bigint;
  /** State root that it leads to, when the proof goes as far. */
  readonly stateRoot: bigint | undefined;
}

/**
 * The order in checked values.
 * @throws ProofError
 */
function moneyOrderOf(view: MoneyOrderView): MoneyOrder {
  const blindingFactor = decodeWord(view.blindingFactor);
  if (!isFieldElement(blindingFactor)) throw new ProofError('the blinding factor is not a field element');
  return { ...view, blindingFactor };
}

/**
 * Checks the proof of a money order by itself, and says where it leads. Whether that is a root of the contract, the contract
 * must say.
 *
 * A proof is the 12 siblings in the tree of its batch; with the 32 of the history tree and the account root after them it
 * leads to the state root.
 *
 * @throws ProofError
 */
export function checkMoneyOrderProof(proof: {
  readonly moneyOrder: MoneyOrderView;
  readonly moneyOrderTotalIndex: number;
  readonly merkleProof: readonly Hash[];
}): ProvedOrder {
  const order = moneyOrderOf(proof.moneyOrder);
  const { batchHeight, index } = splitTotalIndex(proof.moneyOrderTotalIndex);
  const siblings = proof.merkleProof.map(BigInt);
  const whole = ORDER_TREE_DEPTH + HISTORY_TREE_DEPTH + 1;
  if (siblings.length !== ORDER_TREE_DEPTH && siblings.length !== whole)
    throw new ProofError(`the proof of the order has ${siblings.length} hashes`);
  if (!siblings.every(isFieldElement)) throw new ProofError('the proof of the order has an invalid hash');
  if (index >= 2 ** ORDER_TREE_DEPTH) throw new ProofError(`no batch has an order ${index}`);
  const ordersRoot = rootOfPath(moneyOrderHash(order), index, siblings.slice(0, ORDER_TREE_DEPTH));
  const accountRoot = siblings[whole - 1];
  if (accountRoot === undefined) return { order, batchHeight, ordersRoot, stateRoot: undefined };
  const historyRoot = rootOfPath(ordersRoot, batchHeight, siblings.slice(ORDER_TREE_DEPTH, whole - 1));
  return { order, batchHeight, ordersRoot, stateRoot: hashPair(accountRoot, historyRoot) };
}
