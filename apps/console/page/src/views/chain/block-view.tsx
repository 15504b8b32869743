import { useReceipts, type MinedTransaction } from '../../api/latest-transactions.js';
import { useBlock } from '../../api/queries.js';
import type { FullBlock, Receipt } from '../../api/shapes.js';
import { count, counted, time } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink, BlockLink, Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { TransactionTable } from './transaction-table.js';

export function BlockView({ node, id }: { readonly node: string; readonly id: string }) {
  const query = useBlock(node, id);
  return (
    <Loaded query={query}>
      {(block) => (block === null ? <Missing id={id} /> : <Found node={node} block={block} />)}
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

/** The transactions of a block with their receipts, as far as they are there. */
const minedIn = (block: FullBlock, receipts: readonly Receipt[] | null | undefined): MinedTransaction[] =>
  block.transactions.map((transaction, index) => ({
    transaction,
    blockNumber: block.number,
    time: block.timestamp,
    receipt: receipts?.[index],
  }));

function Found({ node, block }: { readonly node: string; readonly block: FullBlock }) {
  const { number } = block;
  const receipts = useReceipts(node, block);
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
          Proposer: <AddressLink address={block.miner} isWhole />,
          'Gas used': `${count(block.gasUsed)} of ${count(block.gasLimit)}`,
          Size: counted(block.size, 'bytes'),
          'State root': <code>{block.stateRoot}</code>,
        }}
      />
      <TransactionTable
        caption={counted(block.transactions.length, 'transactions')}
        rows={minedIn(block, receipts.data)}
        empty="The block has no transactions."
      />
    </>
  );
}
