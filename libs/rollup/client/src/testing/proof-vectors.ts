import { NO_CONSENT, encodeJointKey, encodePoint, encodeWord, totalIndex } from '@tetrad/rollup-crypto';
import {
  ACCOUNT_TREE_DEPTH,
  HISTORY_TREE_DEPTH,
  MerkleTree,
  ORDER_TREE_DEPTH,
  accountHash,
  treeOfLeaves,
  type Account,
  type MemoryState,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { hexFromBytes } from '@tetrad/types';
import { PAYMENT, type ExecutedVectors } from './executed-vectors.js';
import { CONSENT } from './signed-vectors.js';

/** The account that has a consent. */
const CONSENTED = 2;

/**
 * Answers of an operator after the operations, with the roots that the contract then has.
 *
 * @param payment - the executed one
 */
export function proofVectors({ state, batches }: ExecutedVectors, payment: RollupOperation): unknown {
  const [last, paid] = [batches.at(-1)?.publicInputs, batches[PAYMENT.batchHeight - 1]?.publicInputs];
  if (last === undefined || paid === undefined) throw new TypeError('there is no batch');
  return {
    account: { stateRoot: word(last.nextStateRoot), answer: accountAnswer(state) },
    moneyOrder: { ordersRoot: word(paid.ordersRoot), answer: orderAnswer(state, payment) },
  };
}

/** As rollup_getAccountState gives it. */
function accountAnswer(state: MemoryState): unknown {
  const account = state.account(CONSENTED) as Account;
  const { id, nonce, redemptionIndex, balances, blindingFactor, consent } = account;
  const path = new MerkleTree(ACCOUNT_TREE_DEPTH, state.accountNode).path(id);
  const historyRoot = new MerkleTree(HISTORY_TREE_DEPTH, state.historyNode).root;
  return {
    id,
    nonce,
    redemptionIndex,
    blindingFactor: word(blindingFactor),
    publicKey: hexFromBytes(encodePoint(account.publicKey)),
    jointEncryptionKey: hexFromBytes(encodeJointKey(account.jointKey)),
    balances: Object.fromEntries([...balances].map(([token, amount]) => [token, String(amount)])),
    rootHash: word(accountHash(account)),
    merkleProof: [...path, historyRoot].map(word),
    consent: word(consent ?? NO_CONSENT),
    terms: { ...CONSENT, minimum: Number(CONSENT.minimum), secret: word(CONSENT.secret) },
  };
}

/** As pazkp_findReceivedMoneyOrder gives it. */
function orderAnswer(state: MemoryState, payment: RollupOperation): unknown {
  if (payment.kind !== 'createMoneyOrder') throw new TypeError('is not a payment');
  const { order } = payment;
  const { batchHeight, index } = PAYMENT;
  const tree = treeOfLeaves(ORDER_TREE_DEPTH, state.orders(batchHeight).entries());
  return {
    moneyOrder: { ...order, amount: Number(order.amount), blindingFactor: word(order.blindingFactor) },
    moneyOrderTotalIndex: totalIndex(batchHeight, index),
    batchHeight,
    merkleProof: tree.path(index).map(word),
  };
}

const word = (value: bigint) => hexFromBytes(encodeWord(value));
