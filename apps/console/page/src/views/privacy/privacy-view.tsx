import { useState, type FormEvent } from 'react';
import type { Network } from '../../api/shapes.js';
import { navigate } from '../../routing.js';
import { Extensions } from './extensions.js';
import { Followers } from './followers.js';
import { PrivateTransactions } from './private-transactions.js';
import { Repairs } from './repairs.js';

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
        <PrivateTransactions node={node} before={before} />
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
