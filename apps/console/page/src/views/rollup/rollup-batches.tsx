import type { AcceptedBatch } from '../../api/rollup-batches.js';
import type { useRollupBatches } from '../../api/rollup-queries.js';
import type { Column } from '../../parts/column.js';
import { count, short, time } from '../../parts/format.js';
import { AddressLink, BlockLink, TransactionLink } from '../../parts/link.js';
import { reasonOf } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';

/**
 * The last batches, each with the time since the one before.
 * @param props.height - of the newest batch, which may be outside the blocks that were searched
 */
export function RollupBatches(props: {
  readonly found: ReturnType<typeof useRollupBatches>;
  readonly operator: string;
  readonly height: number;
}) {
  const { found, operator, height } = props;
  const { batches, isPending, error } = found;
  return (
    <>
      <Table
        caption={`The last batches of ${count(height)}, each accepted with its proof`}
        rows={batches}
        keyOf={(batch) => String(batch.height)}
        empty={isPending ? 'Loading…' : height === 0 ? 'The contract has no batch yet.' : NONE_FOUND}
        columns={columnsFor(batches, operator)}
      />
      {error !== undefined && (
        <p className="failed" role="alert">
          {reasonOf(error)}
        </p>
      )}
    </>
  );
}

const NONE_FOUND = 'None of them is in the blocks that were searched.';

function columnsFor(batches: readonly AcceptedBatch[], operator: string): readonly Column<AcceptedBatch>[] {
  const timeOf = new Map(batches.map((batch) => [batch.height, batch.time]));
  const since = ({ height, time: at }: AcceptedBatch) => {
    const before = timeOf.get(height - 1);
    return before === undefined ? '–' : `${count(at - before)} s`;
  };
  return [
    { title: 'Batch', isNumber: true, cell: (batch) => batch.height },
    { title: 'Block', isNumber: true, cell: ({ block }) => <BlockLink number={block} /> },
    { title: 'Accepted', cell: (batch) => time(batch.time) },
    { title: 'After the one before', isNumber: true, cell: since },
    { title: 'Size', isNumber: true, cell: ({ size }) => count(size) },
    { title: 'Submitter', cell: ({ submitter }) => <Submitter address={submitter} operator={operator} /> },
    { title: 'Proof in', cell: ({ transaction }) => <TransactionLink hash={transaction} /> },
    { title: 'State root', cell: ({ stateRoot }) => <code title={stateRoot}>{short(stateRoot)}</code> },
  ];
}

function Submitter({ address, operator }: { readonly address: string; readonly operator: string }) {
  return (
    <>
      <AddressLink address={address} />{' '}
      {address !== operator && <span className="badge warn">not the operator</span>}
    </>
  );
}
