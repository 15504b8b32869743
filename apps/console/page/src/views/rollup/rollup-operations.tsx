import type { RollupOperation } from '../../api/rollup-operations.js';
import type { Received } from '../../api/rollup-shapes.js';
import type { Column } from '../../parts/column.js';
import { count } from '../../parts/format.js';
import { OperationStatus } from '../../parts/operation-status.js';
import { OperationLink, ReceiverLink, RollupAccountLink, tokenName } from '../../parts/rollup-links.js';
import { Table } from '../../parts/table.js';

export const KIND_NAMES = { order: 'payment', redemption: 'redemption', transfer: 'transfer out' } as const;

const COLUMNS: readonly Column<RollupOperation>[] = [
  { title: 'Nonce', isNumber: true, cell: ({ nonce }) => count(nonce) },
  { title: 'Operation', cell: ({ hash }) => <OperationLink hash={hash} /> },
  { title: 'Kind', cell: ({ kind }) => KIND_NAMES[kind] },
  {
    title: 'From',
    isNumber: true,
    cell: ({ fromAccountId: from }) => (from === 0 ? 'deposit' : <RollupAccountLink id={from} />),
  },
  { title: 'To', isNumber: true, cell: ({ to }) => <ReceiverLink to={to} /> },
  { title: 'Token', cell: ({ tokenId }) => tokenName(tokenId) },
  { title: 'Units', isNumber: true, cell: ({ amount }) => count(amount) },
  { title: 'State', cell: (operation) => <OperationStatus of={operation} /> },
  { title: 'Batch', isNumber: true, cell: ({ batchHeight }) => batchHeight ?? '–' },
];

const RECEIVED: readonly Column<Received>[] = [
  { title: 'Batch', isNumber: true, cell: ({ batchHeight }) => batchHeight },
  {
    title: 'From',
    isNumber: true,
    cell: ({ moneyOrder: { fromAccountId: from } }) =>
      from === 0 ? 'deposit' : <RollupAccountLink id={from} />,
  },
  { title: 'Token', cell: ({ moneyOrder }) => tokenName(moneyOrder.tokenId) },
  { title: 'Units', isNumber: true, cell: ({ moneyOrder }) => count(moneyOrder.amount) },
];

/**
 * Operations of an account, and payments that it can redeem.
 * @param props.first - lowest nonce that was asked for
 */
export function RollupOperations(props: {
  readonly first: number;
  readonly operations: { readonly items: readonly RollupOperation[]; readonly hasMore: boolean };
  readonly received: { readonly items: readonly Received[]; readonly hasMoreResults: boolean };
}) {
  const { first, operations, received } = props;
  return (
    <>
      <Table
        caption="Operations, highest nonce first"
        rows={operations.items}
        keyOf={({ kind, hash }) => kind + hash}
        empty="It has signed none."
        columns={COLUMNS}
      />
      {first > 1 && <p className="empty">Those before nonce {count(first)} are not shown.</p>}
      {operations.hasMore && <p className="empty">Further ones with higher nonces are not shown.</p>}
      <Table
        caption="Payments to redeem, oldest first"
        rows={received.items}
        keyOf={({ moneyOrderTotalIndex }) => String(moneyOrderTotalIndex)}
        empty="Nothing waits to be redeemed."
        columns={RECEIVED}
      />
      {received.hasMoreResults && <p className="empty">Later ones are not shown.</p>}
    </>
  );
}
