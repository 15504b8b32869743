import { abisFor, type KeptAbi } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { meaningsOfCall } from '../../abi/meanings.js';
import { useLatestTransactions, type MinedTransaction } from '../../api/latest-transactions.js';
import { age, coins, count, time } from '../../parts/format.js';
import { AddressLink, BlockLink, Link, TransactionLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { useNow } from '../../parts/now.js';
import { Table } from '../../parts/table.js';
import { privateKindOf } from '../../privacy/private-transactions.js';

/**
 * The newest transactions as they are mined, or older ones.
 * @param props.before - a height from the address
 */
export function TransactionsView({
  node,
  before,
}: {
  readonly node: string;
  readonly before: number | undefined;
}) {
  const query = useLatestTransactions(node, before);
  const abis = useKeptAbis();
  const now = useNow();
  return (
    <>
      <h1>Transactions</h1>
      <Loaded query={query}>
        {({ listed, lowest, highest }) => (
          <>
            <Table
              caption={`${count(listed.length)} in the blocks ${lowest} to ${highest}`}
              rows={listed}
              keyOf={({ transaction }) => transaction.hash}
              empty={`The blocks ${lowest} to ${highest} have no transactions.`}
              columns={[
                {
                  title: 'Transaction',
                  cell: ({ transaction }) => <TransactionLink hash={transaction.hash} />,
                },
                { title: 'What', cell: (row) => <What of={row} abis={abis} /> },
                {
                  title: 'Block',
                  isNumber: true,
                  cell: ({ blockNumber }) => <BlockLink number={blockNumber} />,
                },
                {
                  title: 'Age',
                  isNumber: true,
                  cell: (row) => <time title={time(row.time)}>{age(row.time, now)}</time>,
                },
                { title: 'From', cell: ({ transaction }) => <AddressLink address={transaction.from} /> },
                { title: 'To', cell: (row) => <To of={row} /> },
                { title: 'Value', isNumber: true, cell: ({ transaction }) => coins(transaction.value) },
              ]}
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

function What({ of, abis }: { readonly of: MinedTransaction; readonly abis: readonly KeptAbi[] }) {
  return (
    <>
      <bdi>{whatItIs(of.transaction, abis)}</bdi>
      {of.receipt?.status === 0 && (
        <>
          {' '}
          <span className="badge bad">failed</span>
        </>
      )}
    </>
  );
}

/** Characters of a function's name that are shown. */
const MAX_NAME = 40;

/** What the transaction does, in a word or two: the name of the function where one is known. */
function whatItIs(transaction: MinedTransaction['transaction'], abis: readonly KeptAbi[]): string {
  const { to, input } = transaction;
  const kind = privateKindOf(transaction);
  if (kind !== undefined) return kind === 'private' ? 'private' : 'privacy marker';
  if (!to) return 'new contract';
  if (input === '0x') return 'transfer of coins';
  const meaning = meaningsOfCall(abisFor(abis, to), input).find(({ values }) => values !== undefined);
  if (meaning === undefined) return input.length < 10 ? 'data' : input.slice(0, 10);
  return meaning.title.slice(0, Math.min(MAX_NAME, meaning.title.indexOf('(')));
}

function To({ of: { transaction, receipt } }: { readonly of: MinedTransaction }) {
  if (transaction.to) return <AddressLink address={transaction.to} />;
  return receipt?.contractAddress ? <AddressLink address={receipt.contractAddress} /> : 'a new contract';
}
