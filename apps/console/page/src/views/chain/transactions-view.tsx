import { useLatestTransactions } from '../../api/latest-transactions.js';
import { count } from '../../parts/format.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { TransactionTable } from './transaction-table.js';

/**
 * The newest transactions as they are mined, or older ones.
 * @param props.before - a height from the address
 */
export function TransactionsView(props: { readonly node: string; readonly before: number | undefined }) {
  const { node, before } = props;
  return (
    <>
      <h1>Transactions</h1>
      <Loaded query={useLatestTransactions(node, before)}>
        {({ listed, lowest, highest }) => (
          <>
            <TransactionTable
              caption={`${count(listed.length)} in the blocks ${lowest} to ${highest}`}
              rows={listed}
              empty={`The blocks ${lowest} to ${highest} have no transactions.`}
            />
            <nav aria-label="Pages" className="pages">
              {before !== undefined && <Link to="/transactions">Newest</Link>}
              {lowest > 0 && <Link to={`/transactions?before=${lowest}`}>Older</Link>}
            </nav>
          </>
        )}
      </Loaded>
    </>
  );
}
