import { transfersOf } from '../../abi/token-transfers.js';
import { useCreator, useHistory, type History } from '../../api/history-queries.js';
import type { MinedTransaction } from '../../api/latest-transactions.js';
import { count } from '../../parts/format.js';
import { AddressLink, Link, TransactionLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { TokenTransfers, type ListedTransfer } from '../contracts/token-transfers.js';
import { TransactionTable } from './transaction-table.js';

/**
 * What an account took part in, by the index of the node.
 * @param props.before - a height from the address
 */
export function AccountHistory(props: {
  readonly node: string;
  readonly address: string;
  readonly before: number | undefined;
}) {
  const { node, address, before } = props;
  return (
    <section aria-labelledby="history">
      <h2 id="history">Transactions</h2>
      <Loaded query={useHistory(node, address, before)}>
        {(history) => <Page history={history} node={node} address={address} />}
      </Loaded>
    </section>
  );
}

function Page(props: { readonly history: History; readonly node: string; readonly address: string }) {
  const { history, node, address } = props;
  if (history.kind === 'refused')
    return (
      <p className="empty">
        Not known: <bdi>{history.reason}</bdi>.
      </p>
    );
  const { listed, isNewest, isOldest } = history;
  const lowest = listed.at(-1)?.blockNumber;
  return (
    <>
      <TransactionTable
        caption={`${count(listed.length)} that it sent, received, was called in, or that moved a token of it`}
        rows={listed}
        empty="The node knows none."
      />
      <TokenTransfers
        caption="Tokens that these transactions moved, from or to it, or of it"
        node={node}
        transfers={transfersAt(address, listed)}
      />
      <nav aria-label="Pages of the history" className="pages">
        {!isNewest && <Link to={`/accounts/${address}`}>Newest</Link>}
        {!isOldest && lowest !== undefined && <Link to={`/accounts/${address}?before=${lowest}`}>Older</Link>}
      </nav>
    </>
  );
}

/** The transfers that name an account, or that the contract at the address states. */
function transfersAt(address: string, listed: readonly MinedTransaction[]): readonly ListedTransfer[] {
  const wanted = address.toLowerCase();
  return listed.flatMap(({ transaction, time, receipt }) =>
    transfersOf(receipt?.logs ?? [])
      .filter(({ token, from, to }) => [token.toLowerCase(), from, to].includes(wanted))
      .map((transfer) => ({ ...transfer, hash: transaction.hash, time })),
  );
}

/** Who created the contract, where the node has an index that says it. */
export function Creator({ node, address }: { readonly node: string; readonly address: string }) {
  const { data } = useCreator(node, address);
  if (data === null || data === undefined) return 'not known';
  return (
    <>
      <AddressLink address={data.creator} /> by <TransactionLink hash={data.hash} />
    </>
  );
}
