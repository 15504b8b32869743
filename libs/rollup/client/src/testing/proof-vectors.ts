import { encodeJointKey, encodePoint, encodeWord, totalIndex } from '@tetrad/rollup-crypto';
import {
  ACCOUNT_TREE_DEPTH,
  MemoryState,
  MerkleTree,
  ORDER_TREE_DEPTH,
  accountHash,
  applyBatch,
  treeOfLeaves,
  type Account,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { hexFromBytes } from '@tetrad/types';
import { DEPOSIT, SIGNED } from './signed-vectors.js';

const SIZE = 2;
/** Where the payment is. */
const [PAYMENT_BATCH, PAYMENT_INDEX] = [4, 0];

/** Answers of an operator after the operations, with the roots that the contract then has. */
export function proofVectors(operations: readonly RollupOperation[]): unknown {
  const [alice, bob, redemption, payment, transfer] = operations as [
    ...[RollupOperation, RollupOperation, RollupOperation, RollupOperation, RollupOperation],
  ];
  const state = new MemoryState();
  const roots = [
    [alice, bob],
    [{ kind: 'inboundTransfer', ...DEPOSIT } as const],
    [redemption],
    [payment, transfer],
  ].map((batch) => apply(state, batch));
  const last = roots.at(-1) as BatchRoots;
  return {
    account: { stateRoot: word(last.state), answer: accountAnswer(state, last.history) },
    moneyOrder: { ordersRoot: word(last.orders), answer: orderAnswer(state, payment) },
  };
}

interface BatchRoots {
  readonly state: bigint;
  readonly orders: bigint;
  readonly history: bigint;
}

function apply(state: MemoryState, operations: readonly RollupOperation[]): BatchRoots {
  const batch = applyBatch(state, { ...state.next, domain: SIGNED.domain, size: SIZE }, operations);
  if (batch.results.some(({ status }) => status !== 'EXECUTED')) throw new Error('a vector is not executed');
  state.commit(batch);
  const { nextStateRoot, ordersRoot } = batch.publicInputs;
  const history = batch.historyNodes.reduce((top, node) => (node.level > top.level ? node : top));
  return { state: nextStateRoot, orders: ordersRoot, history: history.hash };
}

/** As pazkp_getAccountState gives it. */
function accountAnswer(state: MemoryState, historyRoot: bigint): unknown {
  const account = state.account(1) as Account;
  const { id, nonce, redemptionIndex, balances, blindingFactor } = account;
  const path = new MerkleTree(ACCOUNT_TREE_DEPTH, state.accountNode).path(id);
  return {
    ...{ id, nonce, redemptionIndex, blindingFactor: word(blindingFactor) },
    publicKey: hexFromBytes(encodePoint(account.publicKey)),
    jointEncryptionKey: hexFromBytes(encodeJointKey(account.jointKey)),
    balances: Object.fromEntries([...balances].map(([token, amount]) => [token, String(amount)])),
    ...{ rootHash: word(accountHash(account)), merkleProof: [...path, historyRoot].map(word) },
  };
}

/** As pazkp_findReceivedMoneyOrder gives it. */
function orderAnswer(state: MemoryState, payment: RollupOperation): unknown {
  if (payment.kind !== 'createMoneyOrder') throw new TypeError('is not a payment');
  const { order } = payment;
  const tree = treeOfLeaves(ORDER_TREE_DEPTH, state.orders(PAYMENT_BATCH).entries());
  return {
    moneyOrder: { ...order, amount: Number(order.amount), blindingFactor: word(order.blindingFactor) },
    moneyOrderTotalIndex: totalIndex(PAYMENT_BATCH, PAYMENT_INDEX),
    batchHeight: PAYMENT_BATCH,
    merkleProof: tree.path(PAYMENT_INDEX).map(word),
  };
}

const word = (value: bigint) => hexFromBytes(encodeWord(value));
