import { useBlocks } from '../../api/queries.js';
import { age, count, time } from '../../parts/format.js';
import { AddressLink, BlockLink, Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { useNow } from '../../parts/now.js';
import { Table } from '../../parts/table.js';

const ROWS = 25;

/**
 * The newest blocks as they come, or older ones.
 * @param options.before - a height from the address
 */
export function BlocksView({ node, before }: { readonly node: string; readonly before: number | undefined }) {
  const query = useBlocks(node, { before, count: ROWS });
  const now = useNow();
  return (
    <>
      <h1>Blocks</h1>
      <Loaded query={query}>
        {(blocks) => (
          <>
            <Table
              caption={before === undefined ? 'The newest blocks' : `Blocks before ${before}`}
              rows={blocks}
              keyOf={({ hash }) => hash}
              empty="The chain has no such blocks."
              columns={[
                { title: 'Block', isNumber: true, cell: ({ number }) => <BlockLink number={number} /> },
                {
                  title: 'Age',
                  isNumber: true,
                  cell: ({ timestamp }) => <time title={time(timestamp)}>{age(timestamp, now)}</time>,
                },
                { title: 'Transactions', isNumber: true, cell: ({ transactions }) => transactions.length },
                {
                  title: 'Gas used',
                  isNumber: true,
                  cell: ({ gasUsed, gasLimit }) =>
                    `${count(gasUsed)} (${((100 * gasUsed) / gasLimit).toFixed(1)} %)`,
                },
                { title: 'Proposer', cell: ({ miner }) => <AddressLink address={miner} /> },
              ]}
            />
            <Pages blocks={blocks.map(({ number }) => number)} isNewest={before === undefined} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Pages({ blocks, isNewest }: { readonly blocks: readonly number[]; readonly isNewest: boolean }) {
  const lowest = blocks.at(-1) ?? 0;
  return (
    <nav aria-label="Pages" className="pages">
      {!isNewest && <Link to="/blocks">Newest</Link>}
      {lowest > 0 && <Link to={`/blocks?before=${lowest}`}>Older</Link>}
    </nav>
  );
}
