import type { CreationItem, OutboundItem, ReceivedItem, RedemptionItem } from '@tetrad/rollup-client';
import type { AccountEvent } from '@tetrad/rollup-state';
import { hexFromBytes } from '@tetrad/types';

/** JSON in which amounts are decimal text, and bytes hex. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return one.toString();
    return one instanceof Uint8Array ? hexFromBytes(one) : one;
  });
}

/** One line about an order that was made, redeemed or received, or a transfer out. */
export function describeRecord(record: CreationItem | RedemptionItem | ReceivedItem | OutboundItem): string {
  const { batchHeight } = record;
  const parts =
    'moneyOrder' in record
      ? [
          `order ${record.moneyOrderTotalIndex ?? '-'}`,
          `from ${record.moneyOrder.fromAccountId} to ${record.moneyOrder.toAccountId}`,
          `${record.moneyOrder.amount} units of token ${record.moneyOrder.tokenId}`,
        ]
      : [`to ${record.toEthereumAddress}`, `${record.amount} units of token ${record.tokenId}`];
  const operation =
    'status' in record
      ? [`nonce ${record.nonce}`, record.rejectionReason ?? record.status, record.operationHash]
      : [];
  return [...operation.slice(0, 2), ...parts, `batch ${batchHeight ?? '-'}`, ...operation.slice(2)].join(
    '  ',
  );
}

/** One line about what a batch was to the account. */
export function describeEvent(event: AccountEvent): string {
  const at = `${event.totalIndex}  ${event.kind}`;
  switch (event.kind) {
    case 'created':
      return `${at}  account ${event.accountId}`;
    case 'withdrawn':
      return `${at}  nonce ${event.nonce}  to ${event.toEthereumAddress}  ${event.amount} units of token ${event.tokenId}`;
    case 'received':
      return `${at}  from ${event.order.fromAccountId}  ${event.order.amount} units of token ${event.order.tokenId}`;
    case 'sent':
      return `${at}  nonce ${event.nonce}  to ${event.order.toAccountId}  ${event.order.amount} units of token ${event.order.tokenId}`;
    case 'redeemed':
      return `${at}  nonce ${event.nonce}  order ${event.orderIndex}  ${event.order.amount} units of token ${event.order.tokenId}`;
  }
}
