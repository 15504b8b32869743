import { joinHoldings, shareOf, type Holdings } from '../../abi/token-holdings.js';
import { tokenAmount, type Token } from '../../abi/token.js';
import { useHolders, type Holder, type HoldersPage } from '../../api/holder-queries.js';
import { useToken } from '../../api/token-queries.js';
import { count } from '../../parts/format.js';
import { AddressLink, BlockLink } from '../../parts/link.js';
import { reasonOf } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';

/** Who has a token, as far as its transfers say; nothing for a contract that does not answer as one. */
export function TokenHolders({ node, address }: { readonly node: string; readonly address: string }) {
  const { data } = useToken(node, address, true);
  if (data === null || data === undefined) return null;
  return (
    <section aria-labelledby="holders">
      <h2 id="holders">Holders</h2>
      <Holders node={node} address={address} token={data} />
    </section>
  );
}

function Holders(props: { readonly node: string; readonly address: string; readonly token: Token }) {
  const { node, address, token } = props;
  const query = useHolders(node, address, token.standard);
  if (query.isPending)
    return (
      <p className="loading" role="status">
        Loading…
      </p>
    );
  const { pages = [] } = query.data ?? {};
  if (pages.length === 0)
    return (
      <p className="empty">
        Not known: <bdi>{reasonOf(query.error)}</bdi>.
      </p>
    );
  const joined = joinHoldings(pages.map(({ holders }) => holders));
  return (
    <>
      <p>{extentOf(joined, pages, token)}</p>
      <HolderTable holders={joined.holders} token={token} />
      <FurtherBack query={query} />
    </>
  );
}

/** How far the list is, and how much of the supply it accounts for: a token need not log what it moves. */
function extentOf(
  { named, holders, sum }: Holdings<Holder>,
  read: readonly HoldersPage[],
  token: Token,
): string {
  const transactions = count(read.reduce((all, page) => all + page.read, 0));
  const isAll = read.at(-1)?.next === undefined;
  const extent = isAll
    ? `All ${transactions} transactions of the token name ${count(named)} accounts`
    : `The newest ${transactions} transactions of the token name ${count(named)} accounts`;
  if (token.standard === 'ERC-1155') return `${extent}. What they have is asked by the id of a token.`;
  const share = shareOf(sum, token.totalSupply);
  const together = share === undefined ? '' : `, together ${share} of the supply`;
  return `${extent}. ${count(holders.length)} have some now${together}.`;
}

function HolderTable({ holders, token }: { readonly holders: readonly Holder[]; readonly token: Token }) {
  const { decimals, totalSupply, symbol } = token;
  const balanceOf = ({ balance }: Holder) =>
    balance === undefined ? (
      'not asked for, or not said'
    ) : (
      <>
        {tokenAmount(balance, decimals)} <bdi>{symbol ?? ''}</bdi>
      </>
    );
  return (
    <Table
      caption="Accounts by what they have"
      rows={holders}
      keyOf={({ address }) => address}
      empty="No account that a transfer names has any."
      columns={[
        { title: 'Account', cell: ({ address }) => <AddressLink address={address} /> },
        {
          title: 'Balance',
          isNumber: true,
          cell: balanceOf,
          sortBy: ({ balance }) => balance ?? -1n,
        },
        ...(totalSupply === undefined
          ? []
          : [
              {
                title: 'Share',
                isNumber: true as const,
                cell: ({ balance }: Holder) =>
                  balance === undefined ? '' : (shareOf(balance, totalSupply) ?? ''),
              },
            ]),
        {
          title: 'Last moved in',
          isNumber: true,
          cell: ({ blockNumber }) => <BlockLink number={blockNumber} />,
          sortBy: ({ blockNumber }) => blockNumber,
        },
      ]}
    />
  );
}

type Further = Pick<
  ReturnType<typeof useHolders>,
  'error' | 'fetchNextPage' | 'hasNextPage' | 'isFetchingNextPage'
>;

function FurtherBack({ query }: { readonly query: Further }) {
  const { error, fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  return (
    <div className="pages">
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Reading…' : 'Read further back'}
        </button>
      )}
      {error !== null && (
        <p className="failed" role="alert">
          <bdi>{reasonOf(error)}</bdi>
        </p>
      )}
    </div>
  );
}
