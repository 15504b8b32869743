import { jointKeyHash, splitTotalIndex, type MoneyOrder } from '@tetrad/rollup-crypto';
import { balanceOf, balanceTree, type Account } from './account.js';
import type { BatchView } from './batch.js';
import { MerkleTree, treeOfLeaves } from './merkle-tree.js';
import { ACCOUNT_TREE_DEPTH, HISTORY_TREE_DEPTH, ORDER_TREE_DEPTH } from './tree-shape.js';

/**
 * What the contract takes as proof of an account (`encodeAccountProof` of rollup-chain).
 *
 * @param view - the state after a batch; the proof leads to its root
 * @param account - the account in that state
 * @returns the fields of its leaf, the siblings to the account root, and the history root
 */
export function proveAccount(view: Pick<BatchView, 'accountNode' | 'historyNode'>, account: Account) {
  const { id, publicKey, nonce, redemptionIndex, blindingFactor, consent } = account;
  return {
    id,
    publicKey,
    nonce,
    redemptionIndex,
    blindingFactor,
    consent,
    jointKeyHash: jointKeyHash(account.jointKey),
    balancesRoot: balanceTree(account).root,
    siblings: new MerkleTree(ACCOUNT_TREE_DEPTH, view.accountNode).path(id),
    historyRoot: new MerkleTree(HISTORY_TREE_DEPTH, view.historyNode).root,
  };
}

/**
 * What the contract takes as proof of a balance, zero included.
 *
 * @param account - whose balance it is
 * @param tokenId - of which token
 * @returns the balance with the siblings to the root of the account's balances
 */
export function proveBalance(account: Account, tokenId: number) {
  return {
    tokenId,
    amount: balanceOf(account, tokenId),
    siblings: balanceTree(account).path(tokenId),
  };
}

/**
 * What the contract takes as proof of a money order.
 *
 * @param view - the state after a batch, with the orders of the order's batch
 * @param received - the order and its place
 * @returns the order with the siblings to the root of its batch and on to the history root
 */
export function proveOrder(
  view: Pick<BatchView, 'historyNode' | 'orders'>,
  { order, totalIndex }: { readonly order: MoneyOrder; readonly totalIndex: number },
) {
  const { batchHeight, index } = splitTotalIndex(totalIndex);
  const { fromAccountId, tokenId, amount, blindingFactor } = order;
  return {
    fromAccountId,
    tokenId,
    amount,
    blindingFactor,
    totalIndex,
    siblings: treeOfLeaves(ORDER_TREE_DEPTH, view.orders(batchHeight).entries()).path(index),
    historySiblings: new MerkleTree(HISTORY_TREE_DEPTH, view.historyNode).path(batchHeight),
  };
}
