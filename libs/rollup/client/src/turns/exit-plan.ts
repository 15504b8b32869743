import type { Account, ReceivedOrder } from '@tetrad/rollup-state';
import type { PlannedTransfer } from '../exit/exit-options.js';

export type { PlannedTransfer };

/** What one batch of an exit does: orders that it redeems, then transfers out, at least one. */
export interface PlannedBatch {
  readonly redeemed: readonly ReceivedOrder[];
  readonly transfers: readonly PlannedTransfer[];
}

/** Batches that are planned at a time; what an account holds beyond them is for the next round. */
const MAX_BATCHES = 32;

/**
 * The batches with which an account leaves with all that it holds: a function of its state alone, so that after an interruption
 * the same ones follow. Every batch has a transfer out, since only an overdue request gives the right to one. No transfer is
 * there twice, because two equal ones have one request; the next round takes what is left.
 * @param size - operations of a batch, at least 2
 */
export function planExit(
  { balances }: Pick<Account, 'balances'>,
  orders: readonly ReceivedOrder[],
  size: number,
): PlannedBatch[] {
  const held = new Map([...balances].filter(([, amount]) => amount > 0n));
  const used = new Set<string>();
  const batches: PlannedBatch[] = [];
  let left = orders;
  while (batches.length < MAX_BATCHES) {
    const redeemed = left.slice(0, size - 1);
    left = left.slice(redeemed.length);
    for (const { order } of redeemed) held.set(order.tokenId, (held.get(order.tokenId) ?? 0n) + order.amount);
    const transfers = takeTransfers(held, used, size - redeemed.length);
    if (transfers.length === 0) break;
    batches.push({ redeemed, transfers });
  }
  return batches;
}

function takeTransfers(held: Map<number, bigint>, used: Set<string>, places: number): PlannedTransfer[] {
  const transfers: PlannedTransfer[] = [];
  for (const [tokenId, balance] of held) {
    if (transfers.length === places) break;
    let amount = balance;
    while (used.has(`${tokenId}/${amount}`)) amount -= 1n;
    if (amount === 0n) continue;
    used.add(`${tokenId}/${amount}`);
    transfers.push({ tokenId, amount });
    if (amount === balance) held.delete(tokenId);
    else held.set(tokenId, balance - amount);
  }
  return transfers;
}
