import type { Candidates, Network, Proposals, Snapshot } from '../../api/shapes.js';
import type { Column } from '../../parts/column.js';
import { counted } from '../../parts/format.js';
import { AddressLink } from '../../parts/link.js';
import { Table } from '../../parts/table.js';
import { useMayWrite, useWriting } from '../../writes/writing.js';
import { OwnVotes, VoteInForm, VoteOutButton, type Voter } from './validator-votes.js';

/** Validators with the blocks that they proposed of late, and the votes that are open. */
export function Validators(props: {
  readonly found: {
    readonly snapshot: Snapshot | undefined;
    readonly proposals: Proposals | undefined;
    readonly candidates: Candidates | undefined;
  };
  readonly nodes: Network['nodes'];
}) {
  const { snapshot, proposals, candidates } = props.found;
  const asked = useWriting().node;
  const mayVote = useMayWrite('node', 'ibft_propose');
  if (snapshot === undefined)
    return (
      <p className="empty">This node does not serve the questions about validators, or the chain has none.</p>
    );
  const node = props.nodes.find(({ name }) => name === asked);
  const voter = node && { node, snapshot };
  return (
    <>
      <ValidatorTable
        snapshot={snapshot}
        proposals={proposals}
        nodes={props.nodes}
        voter={mayVote ? voter : undefined}
      />
      {voter && <VoteInForm voter={voter} />}
      <OpenVotes votes={snapshot.votes ?? []} />
      {voter && <OwnVotes voter={voter} candidates={candidates} />}
    </>
  );
}

function ValidatorTable(props: {
  readonly snapshot: Snapshot;
  readonly proposals: Proposals | undefined;
  readonly nodes: Network['nodes'];
  /** Who may vote one out; undefined where the reader may not. */
  readonly voter: Voter | undefined;
}) {
  const { snapshot, proposals, nodes, voter } = props;
  const nameOf = (address: string) =>
    nodes.find((node) => node.address.toLowerCase() === address.toLowerCase())?.name ??
    'another organization’s';
  const change: Column<string>[] = voter
    ? [{ title: 'Change', cell: (address) => <VoteOutButton voter={voter} validator={address} /> }]
    : [];
  return (
    <Table
      caption={counted(snapshot.validators.length, 'validators')}
      rows={snapshot.validators}
      keyOf={(address) => address}
      empty="The chain has no validators."
      columns={[
        { title: 'Validator', cell: (address) => <AddressLink address={address} isBare /> },
        { title: 'Node', cell: (address) => <bdi>{nameOf(address)}</bdi> },
        {
          title: `Proposed of the last ${proposals?.numBlocks ?? 0}`,
          isNumber: true,
          cell: (address) => proposals?.sealerActivity[address] ?? 0,
        },
        ...change,
      ]}
    />
  );
}

const OpenVotes = ({ votes }: { readonly votes: NonNullable<Snapshot['votes']> }) => (
  <Table
    caption="Open votes"
    rows={votes}
    keyOf={({ validator, address }) => `${validator}${address}`}
    empty="No vote is open."
    columns={[
      { title: 'Validator', cell: ({ validator }) => <AddressLink address={validator} /> },
      { title: 'Votes', cell: ({ authorize }) => (authorize ? 'in' : 'out') },
      { title: 'Candidate', cell: ({ address }) => <AddressLink address={address} /> },
      { title: 'In block', isNumber: true, cell: ({ block }) => block },
    ]}
  />
);
