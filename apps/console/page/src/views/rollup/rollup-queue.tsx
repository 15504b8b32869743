import { useBatchQueue, type BatchQueue, type QueuedBatch } from '../../api/rollup-queue.js';
import type { Column } from '../../parts/column.js';
import { age, count } from '../../parts/format.js';
import { TransactionLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { useNow } from '../../parts/now.js';
import { Table } from '../../parts/table.js';

/** What waits for provers and for the chain. */
export function RollupQueue() {
  return <Loaded query={useBatchQueue()}>{(queue) => <Queue queue={queue} />}</Loaded>;
}

function Queue({ queue }: { readonly queue: BatchQueue }) {
  const { pendingOperations, counts, batches, hasMoreResults } = queue;
  const now = useNow();
  return (
    <>
      <p>
        {count(pendingOperations)} {pendingOperations === 1 ? 'operation waits' : 'operations wait'} for a
        place in a batch.
      </p>
      <Table
        caption="Batches that are not final, by size"
        rows={counts}
        keyOf={({ state, size }) => `${state} ${size}`}
        empty="All batches are final."
        columns={[
          { title: 'Size', isNumber: true, cell: ({ size }) => count(size) },
          { title: 'State', cell: ({ state }) => STATES[state] ?? <bdi>{state}</bdi> },
          { title: 'Batches', isNumber: true, cell: (one) => count(one.count) },
          { title: 'Oldest', cell: ({ oldestSeconds }) => age(0, oldestSeconds * 1_000) },
        ]}
      />
      <Table
        caption="Batches on their way to the chain, oldest first"
        rows={batches}
        keyOf={({ batchHeight }) => String(batchHeight)}
        empty="No batch is on its way."
        columns={columnsAt(now)}
      />
      {hasMoreResults && <p className="empty">Later ones are counted above.</p>}
    </>
  );
}

const STATES: Readonly<Record<string, string>> = {
  open: 'takes operations',
  sealed: 'waits for a prover',
  proving: 'being proved',
  proven: 'waits to be submitted',
  submitted: 'waits to be final',
};

const since = (ms: number, now: number) => age(ms / 1_000, now);

function columnsAt(now: number): readonly Column<QueuedBatch>[] {
  return [
    { title: 'Batch', isNumber: true, cell: ({ batchHeight }) => batchHeight },
    { title: 'Operations', isNumber: true, cell: ({ operations, size }) => `${operations} of ${size}` },
    { title: 'State', cell: (batch) => <State of={batch} /> },
    { title: 'Age', cell: ({ openedAt }) => since(openedAt, now) },
    {
      title: 'Prover',
      cell: ({ prover }) =>
        prover === null ? (
          '–'
        ) : (
          <>
            <bdi>{prover.name}</bdi> for {since(prover.since, now)}
          </>
        ),
    },
    {
      title: 'Submitted in',
      cell: ({ transactionHash, submittedAt }) =>
        transactionHash === null ? (
          '–'
        ) : (
          <>
            <TransactionLink hash={transactionHash} />
            {submittedAt !== null && ` ${since(submittedAt, now)} ago`}
          </>
        ),
    },
  ];
}

function State({ of: { state, prover, failure } }: { readonly of: QueuedBatch }) {
  const isLeft = state === 'proving' && prover === null;
  return (
    <>
      <span className={isLeft ? 'badge warn' : 'badge'}>
        {isLeft ? 'its prover is gone: waits for another' : (STATES[state] ?? <bdi>{state}</bdi>)}
      </span>
      {failure !== null && (
        <>
          {' '}
          last refused: <bdi>{failure}</bdi>
        </>
      )}
    </>
  );
}
