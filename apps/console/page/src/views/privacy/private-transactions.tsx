import { useAgreements } from '../../api/agreement-queries.js';
import {
  usePrivateTransactions,
  type ListedTransaction,
  type PrivateList,
} from '../../api/private-transactions.js';
import { age, count, time } from '../../parts/format.js';
import { AddressLink, BlockLink, Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { useNow } from '../../parts/now.js';
import { PrivacyLink } from '../../parts/privacy-link.js';
import { Table } from '../../parts/table.js';
import { AgreementBadge } from './agreement.js';

/** Transactions of the list whose parties are asked for; one request has as many calls. */
const MAX_AGREEMENTS = 100;

/**
 * Private transactions of the whole chain where the node has them in its index, otherwise those of a few blocks.
 * @param props.before - a height from the address
 */
export function PrivateTransactions(props: { readonly node: string; readonly before: number | undefined }) {
  const { node, before } = props;
  return (
    <Loaded query={usePrivateTransactions(node, before)}>
      {(list) => (
        <>
          {list.kind === 'blocks' && (
            <p className="empty">
              {BLOCKS_ALONE} <bdi>{list.reason}</bdi>.
            </p>
          )}
          <Listed node={node} list={list} />
          <Pages list={list} isBefore={before !== undefined} />
        </>
      )}
    </Loaded>
  );
}

const BLOCKS_ALONE = 'A few blocks at a time, as the node has no list of private transactions:';

function captionOf(list: PrivateList): string {
  const all = count(list.listed.length);
  if (list.kind === 'indexed') return `${all} of the private transactions of the chain`;
  return `${all} in the blocks ${list.lowest} to ${list.highest}`;
}

function Listed({ node, list }: { readonly node: string; readonly list: PrivateList }) {
  const now = useNow();
  const hashes = list.listed.slice(0, MAX_AGREEMENTS).map(({ transaction }) => transaction.hash);
  const agreements = useAgreements(node, hashes).data ?? [];
  const agreementOf = new Map(hashes.map((hash, index) => [hash, agreements[index]]));
  const seen = ({ transaction: { hash } }: ListedTransaction) =>
    agreementOf.has(hash) ? <AgreementBadge agreement={agreementOf.get(hash)} /> : 'not asked for';
  return (
    <Table
      caption={captionOf(list)}
      rows={list.listed}
      keyOf={({ transaction }) => transaction.hash}
      empty={list.kind === 'indexed' ? 'There is none.' : 'These blocks have no private transaction.'}
      columns={[
        { title: 'Transaction', cell: ({ transaction }) => <PrivacyLink id={transaction.hash} /> },
        { title: 'Block', isNumber: true, cell: ({ blockNumber }) => <BlockLink number={blockNumber} /> },
        {
          title: 'Age',
          isNumber: true,
          cell: (row) => <time title={time(row.time)}>{age(row.time, now)}</time>,
        },
        { title: 'Kind', cell: ({ kind }) => (kind === 'marker' ? 'privacy marker' : 'private') },
        { title: 'From', cell: ({ transaction }) => <AddressLink address={transaction.from} /> },
        { title: 'Contract', cell: (row) => <Contract of={row} /> },
        { title: 'Other parties have', cell: seen },
      ]}
    />
  );
}

/** Of the index by the last transaction that is shown, of blocks by the last block that was looked through. */
function Pages({ list, isBefore }: { readonly list: PrivateList; readonly isBefore: boolean }) {
  const last = list.kind === 'blocks' ? list.lowest : list.listed.at(-1)?.blockNumber;
  const isOldest = list.kind === 'blocks' ? list.lowest === 0 : list.isOldest;
  return (
    <nav aria-label="Pages" className="pages">
      {isBefore && <Link to="/privacy">Newest</Link>}
      {!isOldest && last !== undefined && <Link to={`/privacy?before=${last}`}>Older</Link>}
    </nav>
  );
}

function Contract({ of: { kind, transaction } }: { readonly of: ListedTransaction }) {
  if (kind === 'marker') return 'known to parties';
  return transaction.to ? <PrivacyLink id={transaction.to} /> : 'a new one';
}
