import type {
  AccountTotals,
  AuditReport,
  AuditedOperation,
  RollupToken,
  UnredeemedOrder,
} from '@tetrad/rollup-client';
import { encodePoint, encodeWord } from '@tetrad/rollup-crypto';
import { hexFromBytes } from '@tetrad/types';
import { describeAmount } from './amount.js';
import { jsonText } from './record-text.js';

/**
 * A report for programs: a line for each operation, then one for the whole.
 *
 * @param report - of an audit
 * @returns JSON objects, amounts as decimal text
 */
export function jsonLines({ operations, ...report }: AuditReport): string[] {
  const { publicKey, roots, opening, closing } = report;
  const totals = (one: AccountTotals) => ({
    ...one,
    consent: word(one.consent),
    balances: Object.fromEntries(one.balances),
  });
  const summary = {
    ...report,
    kind: 'report',
    publicKey: hexFromBytes(encodePoint(publicKey)),
    roots: { opening: word(roots.opening), closing: word(roots.closing) },
    opening: totals(opening),
    closing: totals(closing),
    operations: operations.length,
  };
  return [...operations.map((operation) => jsonText(operation)), jsonText(summary)];
}

/**
 * A report for people.
 *
 * @param report - of an audit
 * @param tokens - of the rollup, by id
 * @returns lines of text
 */
export function describeAudit(report: AuditReport, tokens: readonly RollupToken[]): string[] {
  const amountOf = amountsOf(tokens);
  const { operations, unredeemed, opening, closing } = report;
  return [
    ...describePeriod(report),
    ...describeTotals('before', opening, amountOf),
    ...operations.map((operation) => describeOperation(operation, amountOf)),
    ...describeTotals('after', closing, amountOf),
    ...unredeemed.map((order) => describeUnredeemed(order, amountOf)),
    ...describeFrozen(report, amountOf),
    ...describeScope(report),
  ];
}

type AmountOf = (held: { readonly tokenId: number; readonly amount: bigint }) => string;

function amountsOf(tokens: readonly RollupToken[]): AmountOf {
  return ({ tokenId, amount }) => {
    const token = tokens[tokenId];
    return token === undefined ? `${amount} units of token ${tokenId}` : describeAmount(amount, token);
  };
}

const word = (value: bigint) => hexFromBytes(encodeWord(value));
const time = (seconds: number) => new Date(seconds * 1000).toISOString();

function describePeriod(report: AuditReport): string[] {
  const { accountId, auditor, purpose, chainId, contract, period, neighbours, publicKey } = report;
  return [
    `account ${accountId} of the rollup at ${contract} on chain ${chainId}`,
    `disclosed to ${auditor} for ${purpose}, signed by its key ${hexFromBytes(encodePoint(publicKey))}`,
    `batches ${period.from} to ${period.to}, in blocks ${period.fromBlock} to ${period.toBlock}`,
    ...(neighbours.before === undefined
      ? []
      : [`the batch before was accepted at ${time(neighbours.before)}`]),
    ...(neighbours.after === undefined ? [] : [`the batch after was accepted at ${time(neighbours.after)}`]),
  ];
}

function describeTotals(when: string, totals: AccountTotals, amountOf: AmountOf): string[] {
  const held = [...totals.balances].map(([tokenId, amount]) => `  ${amountOf({ tokenId, amount })}`);
  return [`${when}: nonce ${totals.nonce}${held.length === 0 ? ', no balance' : ''}`, ...held];
}

function describeOperation(operation: AuditedOperation, amountOf: AmountOf): string {
  const at = `${time(operation.timestamp)}  batch ${operation.batchHeight}  ${operation.kind}`;
  switch (operation.kind) {
    case 'created':
      return at;
    case 'sent':
      return `${at}  nonce ${operation.nonce}  to ${operation.otherAccountId}  ${amountOf(operation)}`;
    case 'credited':
      return `${at}  from ${operation.otherAccountId}  ${amountOf(operation)}`;
    case 'consentChanged':
      return `${at}  nonce ${operation.nonce}  ${operation.isGiven ? 'payments may be credited' : 'payments are no longer credited'}`;
    case 'received':
      return `${at}  order ${operation.totalIndex}  from ${operation.otherAccountId}  ${amountOf(operation)}`;
    case 'redeemed':
      return `${at}  nonce ${operation.nonce}  order ${operation.orderIndex}  from ${operation.otherAccountId}  ${amountOf(operation)}`;
    case 'withdrawn':
      return `${at}  nonce ${operation.nonce}  to ${operation.toEthereumAddress}  ${amountOf(operation)}`;
  }
}

function describeUnredeemed(order: UnredeemedOrder, amountOf: AmountOf): string {
  const state = order.state === 'open' ? 'not redeemed in the period' : 'passed by a later one, and lost';
  return `order ${order.totalIndex} from ${order.fromAccountId} of ${amountOf(order)} is ${state}`;
}

function describeFrozen({ frozen, closing, period }: AuditReport, amountOf: AmountOf): string[] {
  if (frozen === undefined) return [];
  const paid = frozen.withdrawnTokens.map((tokenId) =>
    amountOf({ tokenId, amount: closing.balances.get(tokenId) ?? 0n }),
  );
  return [
    `the contract is frozen after batch ${period.to}`,
    ...paid.map((amount) => `taken out of it since: ${amount}`),
    ...frozen.withdrawnOrders.map((order) => `taken out of it since: order ${order}`),
  ];
}

/** What the report shows, and what it cannot. */
function describeScope({ opening, closing, isReceivedComplete }: AuditReport): string[] {
  const count = closing.nonce - opening.nonce;
  return [
    `complete: all ${count} operations of the account, its deposits and credits, and its balances at both ends`,
    isReceivedComplete
      ? 'complete: the received orders that the operator let in for its encryption key'
      : 'not shown: whether orders were received that are neither listed nor redeemed in the period',
    'not shown: orders of before the period that are not redeemed in it',
  ];
}
