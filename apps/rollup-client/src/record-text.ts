import type {
  ConsentItem,
  CreationItem,
  CreditItem,
  OutboundItem,
  ReceivedItem,
  RedemptionItem,
} from '@tetrad/rollup-client';
import type { AccountEvent } from '@tetrad/rollup-state';
import { hexFromBytes } from '@tetrad/types';

/** JSON in which amounts are decimal text, and bytes hex. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return one.toString();
    return one instanceof Uint8Array ? hexFromBytes(one) : one;
  });
}

/** A record of one of the lists of an operator. */
export type ListedRecord =
  CreationItem | RedemptionItem | ReceivedItem | OutboundItem | ConsentItem | CreditItem;

/** One line about an order, a transfer out, a credit or a consent. */
export function describeRecord(record: ListedRecord): string {
  const { batchHeight } = record;
  const parts = isCredit(record)
    ? describeCredit(record)
    : 'accountId' in record
      ? [describeTerms(record)]
      : 'moneyOrder' in record
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

/**
 * A line about a record as the operator lists it. A credit is marked: a received order is proved before it is redeemed, but nothing
 * comes after a credit that would prove it.
 *
 * @param record - of a list of the operator
 * @returns the line of `describeRecord`, with what is not proved
 */
export function describeListed(record: ListedRecord): string {
  const line = describeRecord(record);
  return isCredit(record) ? `${line}  not proved` : line;
}

/**
 * The same for programs: a credit has `isProved`, which is false.
 *
 * @param record - of a list of the operator
 * @param more - fields that come first
 * @returns a JSON object
 */
export function listedJson(record: ListedRecord, more: Readonly<Record<string, unknown>> = {}): string {
  return jsonText({ ...more, ...record, ...(isCredit(record) ? { isProved: false } : {}) });
}

const isCredit = (record: ListedRecord): record is CreditItem => 'totalIndex' in record;

function describeCredit({ totalIndex, fromAccountId, tokenId, amount }: CreditItem): string[] {
  return [`credit ${totalIndex}`, `from ${fromAccountId}`, `${amount} units of token ${tokenId}`];
}

function describeTerms({ terms }: ConsentItem): string {
  if (terms === null) return 'no consent';
  return `consent from ${terms.minimum} units of token ${terms.tokenId}, up to batch ${terms.untilHeight}`;
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
      return `${at}  nonce ${event.nonce}  to ${event.order.toAccountId}  ${event.order.amount} units of token ${event.order.tokenId}${event.isCredited === true ? '  credited' : ''}`;
    case 'credited':
      return `${at}  from ${event.fromAccountId}  ${event.amount} units of token ${event.tokenId}`;
    case 'consentChanged':
      return `${at}  nonce ${event.nonce}  ${event.terms === undefined ? 'no consent' : `from ${event.terms.minimum} units of token ${event.terms.tokenId}, up to batch ${event.terms.untilHeight}`}`;
    case 'redeemed':
      return `${at}  nonce ${event.nonce}  order ${event.orderIndex}  ${event.order.amount} units of token ${event.order.tokenId}`;
  }
}
