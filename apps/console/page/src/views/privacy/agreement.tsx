import type { UseQueryResult } from '@tanstack/react-query';
import { useAgreements, useContractAgreement, type Agreement } from '../../api/agreement-queries.js';
import type { PartyAgreement } from '../../api/agreement-shapes.js';
import { count, time } from '../../parts/format.js';
import { BlockLink, TransactionLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Difference } from './difference.js';

/** Parties that are listed. */
const MAX_PARTIES = 200;

/** Whether the other parties of a private transaction have the node's result of it. */
export function TransactionAgreement({ node, hash }: { readonly node: string; readonly hash: string }) {
  return <Parties query={useAgreements(node, [hash])} of={([first]) => first} />;
}

/** Whether other parties have the node's state of a contract. */
export function ContractAgreement({ node, address }: { readonly node: string; readonly address: string }) {
  return <Parties query={useContractAgreement(node, address)} of={(found) => found} />;
}

function Parties<Data>(props: {
  readonly query: UseQueryResult<Data>;
  readonly of: (data: Data) => Agreement | undefined;
}) {
  return (
    <>
      <h3>Other parties</h3>
      <Loaded query={props.query}>{(data) => <Found agreement={props.of(data)} />}</Loaded>
    </>
  );
}

function Found({ agreement }: { readonly agreement: Agreement | undefined }) {
  if (agreement === undefined || agreement.kind === 'noParty')
    return <p className="empty">This node is not a party, and knows none.</p>;
  if (agreement.kind === 'refused')
    return (
      <p className="stale">
        Not known: <bdi>{agreement.reason}</bdi>.
      </p>
    );
  const { parties } = agreement;
  return (
    <>
      <Table
        caption="Whether they have the same result, by what their nodes have signed"
        rows={parties.slice(0, MAX_PARTIES)}
        keyOf={({ ptmKey }) => ptmKey}
        empty="This node knows no other party."
        columns={[
          { title: 'Party', cell: ({ ptmKey }) => <code>{ptmKey}</code>, sortBy: ({ ptmKey }) => ptmKey },
          { title: 'Result', cell: (party) => <Badge party={party} /> },
          { title: 'Last heard', cell: ({ heardAt }) => (heardAt === undefined ? 'never' : time(heardAt)) },
          { title: 'Since', cell: (party) => <Since party={party} /> },
        ]}
      />
      {parties.length > MAX_PARTIES && (
        <p className="empty">{count(parties.length - MAX_PARTIES)} further ones are not shown.</p>
      )}
      {parties.slice(0, MAX_PARTIES).map((party) => (
        <Difference key={party.ptmKey} party={party} />
      ))}
    </>
  );
}

/** The transaction that the word is about: the first that differs, or the newest that both have. */
function Since({ party: { firstDifference, transaction } }: { readonly party: PartyAgreement }) {
  const hash = firstDifference ?? transaction;
  return hash === undefined ? '–' : <TransactionLink hash={hash} />;
}

const WORDS = {
  agreed: ['good', 'the same'],
  diverged: ['bad', 'another one'],
  pending: ['warn', 'not stated yet'],
  leftOut: ['bad', 'left out of later transactions'],
  cannotTell: ['', 'not known'],
} as const;

const REASONS = {
  noMessages: 'one of the managers carries no messages',
  silent: 'nothing was heard for a day',
  notStated: 'from before results were stated',
  undisclosedHere: 'this node has no proof that the party has each contract of it',
  undisclosedThere: 'the party has no proof that this node has each contract of it',
} as const;

function Badge({ party: { agreement, reason, repairedAt } }: { readonly party: PartyAgreement }) {
  const [colour, word] = WORDS[agreement];
  return (
    <>
      <span className={`badge ${colour}`}>{word}</span>
      {reason !== undefined && ` ${REASONS[reason]}`}
      {repairedAt !== undefined && (
        <>
          {' since a repair at the end of block '}
          <BlockLink number={repairedAt} />
        </>
      )}
    </>
  );
}

/** In a list: the worst that is known of a transaction's parties. */
export function AgreementBadge({ agreement }: { readonly agreement: Agreement | undefined }) {
  if (agreement === undefined) return '…';
  if (agreement.kind === 'refused') return <span title={agreement.reason}>not known</span>;
  if (agreement.kind === 'noParty') return 'no party here';
  const worst = WORST_FIRST.find((one) => agreement.parties.some((party) => party.agreement === one));
  if (worst === undefined) return 'no other party known';
  const [colour, word] = WORDS[worst];
  const times = agreement.parties.filter((party) => party.agreement === worst).length;
  return (
    <span className={`badge ${colour}`}>
      {word}: {count(times)} of {count(agreement.parties.length)}
    </span>
  );
}

const WORST_FIRST = ['diverged', 'leftOut', 'pending', 'cannotTell', 'agreed'] as const;
