import type { AuditReport, AuditedOperation } from '@tetrad/rollup-client';
import { splitTotalIndex } from '@tetrad/rollup-crypto';

const COLUMNS = [
  'time',
  'batch',
  'index',
  'kind',
  'nonce',
  'other',
  'token',
  'amount',
  'order',
  'block',
  'transaction',
] as const;

/**
 * The operations of a report as comma-separated values. No value has a comma, a quote or a sign that a table would take for a
 * formula.
 *
 * @param report - of an audit
 * @returns the names of the columns, then a line for each operation
 */
export function csvLines({ operations }: AuditReport): string[] {
  return [COLUMNS.join(','), ...operations.map((operation) => valuesOf(operation).join(','))];
}

function valuesOf(operation: AuditedOperation): (string | number | bigint)[] {
  const { totalIndex, kind, blockNumber, transactionHash, timestamp } = operation;
  const { batchHeight, index } = splitTotalIndex(totalIndex);
  const details =
    operation.kind === 'created' || operation.kind === 'consentChanged'
      ? [operation.kind === 'created' ? '' : operation.nonce, '', '', '', '']
      : [
          operation.nonce ?? '',
          operation.kind === 'withdrawn' ? operation.toEthereumAddress : operation.otherAccountId,
          operation.tokenId,
          operation.amount,
          operation.kind === 'redeemed' ? operation.orderIndex : '',
        ];
  const time = new Date(timestamp * 1000).toISOString();
  return [time, batchHeight, index, kind, ...details, blockNumber, transactionHash];
}
