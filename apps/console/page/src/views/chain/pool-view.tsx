import { usePool } from '../../api/queries.js';
import type { Transaction } from '../../api/shapes.js';
import type { Column } from '../../parts/column.js';
import { coins, count, gwei } from '../../parts/format.js';
import { AddressLink, TransactionLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'Transaction', cell: ({ hash }) => <TransactionLink hash={hash} /> },
  { title: 'From', cell: ({ from }) => <AddressLink address={from} />, sortBy: ({ from }) => from },
  { title: 'Nonce', isNumber: true, cell: ({ nonce }) => count(nonce), sortBy: ({ nonce }) => nonce },
  { title: 'Value', isNumber: true, cell: ({ value }) => coins(value), sortBy: ({ value }) => value },
  {
    title: 'Gas price',
    isNumber: true,
    sortBy: ({ gasPrice }) => gasPrice ?? 0n,
    cell: ({ gasPrice }) => (gasPrice === null || gasPrice === undefined ? '–' : gwei(gasPrice)),
  },
];

/** What waits in the pool of the node: what can be mined next, and what waits for an earlier nonce. */
export function PoolView({ node }: { readonly node: string }) {
  const query = usePool(node);
  return (
    <>
      <h1>Pool</h1>
      <Loaded query={query}>
        {({ counts, content }) => (
          <>
            <List
              title={`${count(counts.pending)} pending`}
              empty="Nothing waits for a block."
              of={content.pending}
            />
            <List
              title={`${count(counts.queued)} queued: an earlier nonce of the sender is missing`}
              empty="Nothing waits for an earlier nonce."
              of={content.queued}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function List(props: {
  readonly title: string;
  readonly empty: string;
  readonly of: Readonly<Record<string, Readonly<Record<string, Transaction>>>>;
}) {
  const rows = Object.values(props.of).flatMap((byNonce) => Object.values(byNonce));
  return (
    <Table
      caption={props.title}
      rows={rows}
      keyOf={({ hash }) => hash}
      empty={props.empty}
      columns={COLUMNS}
    />
  );
}
