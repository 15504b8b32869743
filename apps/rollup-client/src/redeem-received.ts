import { retryAfterOf, type ReceivedItem, type RollupAccount, type Submitted } from '@tetrad/rollup-client';
import { RpcCallError } from '@tetrad/rpc';
import { OperatorError } from '@tetrad/types';

/** Which of the received orders are redeemed. */
export interface RedemptionLimits {
  readonly most: number;
  /** Orders of a smaller amount are skipped. */
  readonly forfeitBelow: number;
  /** An order before which it stops, as at the limit. */
  readonly stopsBefore?: (item: ReceivedItem) => boolean;
}

/** Hears of each order in turn. */
export interface RedemptionReport {
  found(item: ReceivedItem): void;
  sent(item: ReceivedItem, submitted: Submitted): void;
  /** The operator takes no more for now: what was sent before holds. */
  refused(reason: string): void;
}

export interface Receipts {
  readonly skipped: readonly ReceivedItem[];
  readonly hasMore: boolean;
}

/**
 * Redeems what the account has received, earliest first; each order is proved against the contract before it is signed for.
 *
 * @param account - of the receiver
 * @param limits - which orders
 * @param surroundings - who hears of them, and what ends it between two orders
 * @returns what was skipped, and whether more waits
 * @throws what `RollupAccount.redeem` does; OperatorError when the operator does not let an order be skipped
 */
export async function redeemReceived(
  account: RollupAccount,
  { most, forfeitBelow, stopsBefore }: RedemptionLimits,
  { report, signal }: { readonly report: RedemptionReport; readonly signal: AbortSignal },
): Promise<Receipts> {
  const skipped: ReceivedItem[] = [];
  let sent = 0;
  for await (const item of account.redeemable()) {
    if (sent === most || signal.aborted || stopsBefore?.(item) === true) return { skipped, hasMore: true };
    if (item.moneyOrder.amount < BigInt(forfeitBelow)) {
      skipped.push(item);
      continue;
    }
    report.found(item);
    try {
      report.sent(item, await account.redeem(item.moneyOrderTotalIndex));
      sent += 1;
    } catch (error) {
      if (sent > 0 && retryAfterOf(error) !== undefined) {
        report.refused((error as Error).message);
        return { skipped, hasMore: true };
      }
      if (!(error instanceof RpcCallError) || skipped.length === 0) throw error;
      throw explained(error, skipped[0] as ReceivedItem);
    }
  }
  return { skipped, hasMore: false };
}

/** An operator that refuses to let an order be lost names it by its index alone. */
function explained(error: RpcCallError, { moneyOrder, moneyOrderTotalIndex }: ReceivedItem): Error {
  const reason = (error.data as { readonly reason?: unknown } | undefined)?.reason;
  if (reason !== 'EARLIER_MONEY_ORDER_OPEN') return error;
  const text = `order ${moneyOrderTotalIndex} of ${moneyOrder.amount} units cannot be forfeited: the operator allows it below its minimum only`;
  return new OperatorError(text, { cause: error });
}
