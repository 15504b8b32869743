import type { AcceptedBatch } from '../api/rollup-batches.js';
import { count, short, time } from '../parts/format.js';
import { AddressLink, BlockLink, TransactionLink } from '../parts/link.js';
import { Table } from '../parts/table.js';

/**
 * The last batches, each with the time since the one before.
 *
 * In: height — of the newest batch, which may be outside the blocks that were searched
 */
export function RollupBatches(props: {
  readonly batches: readonly AcceptedBatch[];
  readonly operator: string;
  readonly height: number;
}) {
  const { batches, operator, height } = props;
  const timeOf = new Map(batches.map((batch) => [batch.height, batch.time]));
  const since = ({ height: own, time: at }: AcceptedBatch) => {
    const before = timeOf.get(own - 1);
    return before === undefined ? '–' : `${count(at - before)} s`;
  };
  return (
    <Table
      caption={`The last batches of ${count(height)}, each accepted with its proof`}
      rows={batches}
      keyOf={(batch) => String(batch.height)}
      empty={height === 0 ? 'The contract has no batch yet.' : 'None is in the blocks that were searched.'}
      columns={[
        { title: 'Batch', isNumber: true, cell: (batch) => batch.height },
        { title: 'Block', isNumber: true, cell: ({ block }) => <BlockLink number={block} /> },
        { title: 'Accepted', cell: (batch) => time(batch.time) },
        { title: 'After the one before', isNumber: true, cell: since },
        { title: 'Size', isNumber: true, cell: ({ size }) => count(size) },
        {
          title: 'Submitter',
          cell: ({ submitter }) => <Submitter address={submitter} operator={operator} />,
        },
        { title: 'Proof in', cell: ({ transaction }) => <TransactionLink hash={transaction} /> },
        { title: 'State root', cell: ({ stateRoot }) => <code title={stateRoot}>{short(stateRoot)}</code> },
      ]}
    />
  );
}

function Submitter({ address, operator }: { readonly address: string; readonly operator: string }) {
  return (
    <>
      <AddressLink address={address} />{' '}
      {address !== operator && <span className="badge warn">not the operator</span>}
    </>
  );
}
