import { useBlock } from '../../api/queries.js';
import type { FullBlock } from '../../api/shapes.js';
import { coins, count, time } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink, BlockLink, Link, TransactionLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';

export function BlockView({ node, id }: { readonly node: string; readonly id: string }) {
  const query = useBlock(node, id);
  return (
    <Loaded query={query}>
      {(block) => (block === null ? <Missing id={id} /> : <Found block={block} />)}
    </Loaded>
  );
}

const Missing = ({ id }: { readonly id: string }) => (
  <>
    <h1>No such block</h1>
    <p className="empty">
      The chain of this node has no block <code>{id}</code> yet.
    </p>
  </>
);

function Found({ block }: { readonly block: FullBlock }) {
  const { number } = block;
  return (
    <>
      <h1>Block {count(number)}</h1>
      <nav aria-label="Neighbours" className="pages">
        {number > 0 && <Link to={`/blocks/${number - 1}`}>Block {count(number - 1)}</Link>}
        <Link to={`/blocks/${number + 1}`}>Block {count(number + 1)}</Link>
      </nav>
      <Facts
        of={{
          Hash: <code>{block.hash}</code>,
          Parent: number === 0 ? undefined : <BlockLink number={number - 1} />,
          Time: time(block.timestamp),
          Proposer: <AddressLink address={block.miner} />,
          'Gas used': `${count(block.gasUsed)} of ${count(block.gasLimit)}`,
          Size: `${count(block.size)} bytes`,
          'State root': <code>{block.stateRoot}</code>,
        }}
      />
      <Table
        caption={`${block.transactions.length} transactions`}
        rows={block.transactions}
        keyOf={({ hash }) => hash}
        empty="The block has no transactions."
        columns={[
          { title: 'Transaction', cell: ({ hash }) => <TransactionLink hash={hash} /> },
          { title: 'From', cell: ({ from }) => <AddressLink address={from} />, sortBy: ({ from }) => from },
          {
            title: 'To',
            cell: ({ to }) =>
              to === null || to === undefined ? 'creates a contract' : <AddressLink address={to} />,
          },
          { title: 'Value', isNumber: true, cell: ({ value }) => coins(value), sortBy: ({ value }) => value },
        ]}
      />
    </>
  );
}
