import {
  isFieldElement,
  moneyOrderHash,
  splitTotalIndex,
  type MoneyOrderRedemption,
} from '@tetrad/rollup-crypto';
import { ORDER_TREE_DEPTH, rootOfPath } from '@tetrad/rollup-state';
import type { StoredAccount, RollupStore } from '@tetrad/rollup-store';
import { RequestError } from '@tetrad/types';

type Store = Pick<RollupStore, 'findMoneyOrder' | 'findBatch' | 'finalHeight' | 'previousOrder'>;

/**
 * Refuses an order that can never be redeemed, or not at present. An earlier open order matters only when the redemption
 * would be the account's next operation; otherwise an operation before it may redeem that order. An order below the
 * minimum never matters: any account can send one, and redeeming past it forfeits it.
 * @throws RequestError (MONEY_ORDER_NOT_FOUND, MONEY_ORDER_ALREADY_REDEEMED, EARLIER_MONEY_ORDER_OPEN)
 */
export async function assertRedeemable(
  store: Store,
  account: Pick<StoredAccount, 'id' | 'nonce' | 'redemptionIndex'>,
  { order, totalIndex, nonce }: MoneyOrderRedemption,
  minOrderAmount: bigint,
): Promise<void> {
  const stored = await store.findMoneyOrder(totalIndex);
  const isFinal = splitTotalIndex(totalIndex).batchHeight <= (await store.finalHeight());
  if (stored === undefined || !isFinal || stored.hash !== moneyOrderHash(order)) {
    const text = `no money order at ${totalIndex} is finalized on the blockchain`;
    throw new RequestError('MONEY_ORDER_NOT_FOUND', text, { moneyOrderTotalIndex: totalIndex });
  }
  if (totalIndex <= account.redemptionIndex) {
    const text = `the account has redeemed up to ${account.redemptionIndex}`;
    throw new RequestError('MONEY_ORDER_ALREADY_REDEEMED', text, {
      redemptionIndex: account.redemptionIndex,
    });
  }
  if (nonce !== account.nonce + 1) return;
  const previous = await store.previousOrder(account.id, totalIndex, minOrderAmount);
  if (previous === undefined || previous <= account.redemptionIndex) return;
  const text = `the order at ${previous} must be redeemed before, or it would be forfeited`;
  throw new RequestError('EARLIER_MONEY_ORDER_OPEN', text, { moneyOrderTotalIndex: previous });
}

/**
 * @param proof - siblings from the order to the root of its batch, leaf level first
 * @throws RequestError (INVALID_MERKLE_PROOF)
 */
export async function assertMerkleProof(
  store: Store,
  { order, totalIndex }: MoneyOrderRedemption,
  proof: readonly bigint[],
): Promise<void> {
  const { batchHeight, index } = splitTotalIndex(totalIndex);
  const root = (await store.findBatch(batchHeight))?.roots?.orders;
  const isPath = proof.length === ORDER_TREE_DEPTH && proof.every(isFieldElement);
  if (isPath && rootOfPath(moneyOrderHash(order), index, proof) === root) return;
  const text = `the proof does not lead from the money order at ${totalIndex} to the root of batch ${batchHeight}`;
  throw new RequestError('INVALID_MERKLE_PROOF', text);
}
