import { useState, type FormEvent } from 'react';
import type { Candidates, Network, Snapshot } from '../../api/shapes.js';
import { effectOfVote, type ValidatorVote } from '../../consensus/validator-vote.js';
import { AddressLink } from '../../parts/link.js';
import { Table } from '../../parts/table.js';
import { WriteButton } from '../../writes/write-button.js';
import type { ProposedWrite } from '../../writes/write.js';
import { useMayWrite, useWriting } from '../../writes/writing.js';

/** The node that is asked, and what it votes with. */
export interface Voter {
  readonly node: Network['nodes'][number];
  readonly snapshot: Snapshot;
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;

function proposalOf({ node }: Voter, { candidate, authorize }: ValidatorVote): ProposedWrite {
  return {
    title: authorize ? `Vote ${candidate} in` : `Vote ${candidate} out`,
    at: { kind: 'node', name: node.name },
    method: 'ibft_propose',
    params: [candidate, authorize],
  };
}

/** Votes a validator out. */
export function VoteOutButton({ voter, validator }: { readonly voter: Voter; readonly validator: string }) {
  const vote = { candidate: validator, authorize: false };
  return (
    <WriteButton
      write={proposalOf(voter, vote)}
      label="Vote out"
      effect={<VoteEffectShown voter={voter} vote={vote} />}
    />
  );
}

/** Votes in whom the reader names. */
export function VoteInForm({ voter }: { readonly voter: Voter }) {
  const { propose } = useWriting();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  if (!useMayWrite('node', 'ibft_propose')) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const candidate = text.trim().toLowerCase();
    setProblem(ADDRESS.test(candidate) ? undefined : 'Enter the address of a node.');
    if (!ADDRESS.test(candidate)) return;
    const vote = { candidate, authorize: true };
    propose(proposalOf(voter, vote), <VoteEffectShown voter={voter} vote={vote} />);
  };
  return (
    <form className="question" onSubmit={submit}>
      <label>
        Address of a node to vote in{' '}
        <input type="text" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit">Vote in…</button>
      <span role="status">{problem}</span>
    </form>
  );
}

/** What the node that is asked votes for in the blocks that it proposes. */
export function OwnVotes(props: { readonly voter: Voter; readonly candidates: Candidates | undefined }) {
  const { voter, candidates } = props;
  if (candidates === undefined) return null;
  return (
    <Table
      caption="What this node votes for"
      rows={Object.entries(candidates)}
      keyOf={([address]) => address}
      empty="This node votes for no candidate."
      columns={[
        { title: 'Candidate', cell: ([address]) => <AddressLink address={address} /> },
        { title: 'Votes', cell: ([, authorize]) => (authorize ? 'in' : 'out') },
        { title: 'Change', cell: ([address]) => <DiscardButton node={voter.node} candidate={address} /> },
      ]}
    />
  );
}

function DiscardButton({ node, candidate }: Pick<Voter, 'node'> & { readonly candidate: string }) {
  return (
    <WriteButton
      label="Discard"
      effect={<p>The node no longer votes on the candidate. Votes that are in blocks stay.</p>}
      write={{
        title: `Stop voting on ${candidate}`,
        at: { kind: 'node', name: node.name },
        method: 'ibft_discard',
        params: [candidate],
      }}
    />
  );
}

function VoteEffectShown({ voter, vote }: { readonly voter: Voter; readonly vote: ValidatorVote }) {
  const effect = effectOfVote(voter.snapshot, vote, voter.node.address);
  const [now, then] = [voter.snapshot.validators.length, effect.after];
  return (
    <>
      {!effect.isValidator && (
        <p className="stale">This node is no validator: its vote does not count now.</p>
      )}
      {effect.isValidator && !effect.counts && (
        <p className="stale">The candidate is {vote.authorize ? 'a validator' : 'no validator'} already.</p>
      )}
      <p>
        The node votes so in each block that it proposes, until the set has changed or the vote is discarded.
        It takes {effect.needed} of {now} votes; {effect.votes} of other validators are open. With enough of
        them the network has {then} validators instead of {now}.
      </p>
    </>
  );
}
