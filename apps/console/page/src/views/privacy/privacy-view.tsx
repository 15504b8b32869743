import { useState, type FormEvent } from 'react';
import { useAgreements } from '../../api/agreement-queries.js';
import { usePrivateTransactions, type ListedTransaction } from '../../api/privacy-queries.js';
import type { Network } from '../../api/shapes.js';
import { count } from '../../parts/format.js';
import { AddressLink, BlockLink, Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { PrivacyLink } from '../../parts/privacy-link.js';
import { Table } from '../../parts/table.js';
import { navigate } from '../../routing.js';
import { AgreementBadge } from './agreement.js';
import { Extensions } from './extensions.js';
import { Followers } from './followers.js';
import { Repairs } from './repairs.js';

/** Blocks whose private transactions are listed. */
const BLOCKS = 25;

/**
 * How far private states are, extensions under way, repaired contracts, and private transactions of late.
 * @param props.before - a height from the address
 */
export function PrivacyView(props: {
  readonly network: Network;
  readonly node: string;
  readonly before: number | undefined;
}) {
  const { network, node, before } = props;
  return (
    <>
      <h1>Privacy</h1>
      <LookUp />
      <section aria-labelledby="followers">
        <h2 id="followers">Private states</h2>
        <Followers nodes={network.nodes} />
      </section>
      <section aria-labelledby="extensions">
        <h2 id="extensions">Extensions</h2>
        <Extensions node={node} />
      </section>
      <section aria-labelledby="repairs">
        <h2 id="repairs">Repairs of contracts</h2>
        <Repairs node={node} />
      </section>
      <section aria-labelledby="private">
        <h2 id="private">Private transactions</h2>
        <Recent node={node} before={before} />
      </section>
    </>
  );
}

const CONTRACT_OR_HASH = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Leads to what nodes have of a contract or a transaction. */
function LookUp() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    if (CONTRACT_OR_HASH.test(wanted)) navigate(`/privacy/${wanted.toLowerCase()}`);
    else setProblem('Enter the address of a contract or the hash of a transaction.');
  };
  return (
    <form className="question" onSubmit={submit}>
      <label>
        Private contract or transaction{' '}
        <input type="text" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit">Show what nodes have of it</button>
      <span role="status">{problem}</span>
    </form>
  );
}

/** Transactions of the list whose parties are asked for; one request has as many calls. */
const MAX_AGREEMENTS = 100;

function Recent({ node, before }: { readonly node: string; readonly before: number | undefined }) {
  const query = usePrivateTransactions(node, { before, blocks: BLOCKS });
  const hashes = (query.data?.listed ?? [])
    .slice(0, MAX_AGREEMENTS)
    .map(({ transaction }) => transaction.hash);
  const agreements = useAgreements(node, hashes).data ?? [];
  const agreementOf = new Map(hashes.map((hash, index) => [hash, agreements[index]]));
  return (
    <Loaded query={query}>
      {({ lowest, highest, listed }) => (
        <>
          <Table
            caption={`${count(listed.length)} in the blocks ${lowest} to ${highest}`}
            rows={listed}
            keyOf={({ transaction }) => transaction.hash}
            empty="These blocks have no private transaction."
            columns={[
              { title: 'Transaction', cell: ({ transaction }) => <PrivacyLink id={transaction.hash} /> },
              {
                title: 'Block',
                isNumber: true,
                cell: ({ blockNumber }) => <BlockLink number={blockNumber} />,
              },
              { title: 'Kind', cell: ({ kind }) => (kind === 'marker' ? 'privacy marker' : 'private') },
              { title: 'From', cell: ({ transaction }) => <AddressLink address={transaction.from} /> },
              { title: 'Contract', cell: (row) => <Contract of={row} /> },
              {
                title: 'Other parties have',
                cell: ({ transaction: { hash } }) =>
                  agreementOf.has(hash) ? (
                    <AgreementBadge agreement={agreementOf.get(hash)} />
                  ) : (
                    'not asked for'
                  ),
              },
            ]}
          />
          <nav aria-label="Pages" className="pages">
            {before !== undefined && <Link to="/privacy">Newest</Link>}
            {lowest > 0 && <Link to={`/privacy?before=${lowest}`}>Older</Link>}
          </nav>
        </>
      )}
    </Loaded>
  );
}

function Contract({ of: { kind, transaction } }: { readonly of: ListedTransaction }) {
  if (kind === 'marker') return 'known to parties';
  return transaction.to ? <PrivacyLink id={transaction.to} /> : 'a new one';
}
