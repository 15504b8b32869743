import { useState, type FormEvent } from 'react';
import type { KeptAbi } from '../../abi/kept-abi.js';
import { bindAbi, removeAbi, useKeptAbis } from '../../abi/kept-abis.js';
import { useOfferedAbis } from '../../api/offered-abis.js';
import { count } from '../../parts/format.js';
import { AddressLink } from '../../parts/link.js';
import { reasonOf } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { DropAbi } from './drop-abi.js';

/** The ABI files of the session, and which contracts they are used for. */
export function AbisView() {
  const kept = useKeptAbis();
  return (
    <>
      <h1>ABI files</h1>
      <p>
        An ABI says what a contract’s calls, results, logs and errors mean. Files that you add are kept in
        this page alone, and are forgotten when it is closed or loaded again. Nothing checks that a file is
        that of the contract: values that are decoded name it.
      </p>
      <Problems />
      <DropAbi use="any" label="Add a file with an ABI for any contract" />
      <Table
        caption="Contracts of the files"
        rows={kept}
        keyOf={({ id }) => String(id)}
        empty="No file was added: only what standards have is decoded."
        columns={[
          { title: 'File and contract', cell: ({ by }) => <bdi>{by}</bdi>, sortBy: ({ by }) => by },
          {
            title: 'Functions',
            isNumber: true,
            cell: ({ contract }) => count(contract.abi.functions.length),
          },
          { title: 'Events', isNumber: true, cell: ({ contract }) => count(contract.abi.events.length) },
          { title: 'Errors', isNumber: true, cell: ({ contract }) => count(contract.abi.errors.length) },
          { title: 'From', cell: ({ isOffered }) => (isOffered === true ? 'the operator' : 'you') },
          { title: 'Not used', cell: ({ contract }) => <Unused of={contract.abi.unused} /> },
          { title: 'Used for', cell: (one) => <UsedFor abi={one} /> },
          { title: 'Change', cell: (one) => <Change abi={one} /> },
        ]}
      />
    </>
  );
}

/** Files of the operator that cannot be read. */
function Problems() {
  const { data = [], error } = useOfferedAbis();
  if (error !== null) return <p className="failed">The operator’s files cannot be had: {reasonOf(error)}</p>;
  return data.slice(0, MAX_REASONS).map(({ name, problem }) => (
    <p key={name} className="failed">
      The operator’s file <bdi>{name}</bdi>: <bdi>{problem}</bdi>
    </p>
  ));
}

/** Reasons that are shown. */
const MAX_REASONS = 20;

function Unused({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return 'none';
  return (
    <details>
      <summary>{count(of.length)} entries</summary>
      <ul>
        {of.slice(0, MAX_REASONS).map((reason, index) => (
          <li key={index}>
            <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

function UsedFor({ abi: { use } }: { readonly abi: KeptAbi }) {
  if (use === undefined) return <span className="badge warn">nothing yet</span>;
  return use === 'any' ? 'any contract' : <AddressLink address={use} />;
}

function Change({ abi: { id, by } }: { readonly abi: KeptAbi }) {
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string>();
  const bind = (event: FormEvent) => {
    event.preventDefault();
    const text = address.trim().toLowerCase();
    const isAddress = /^0x[0-9a-f]{40}$/.test(text);
    setProblem(isAddress ? undefined : 'Enter an address.');
    if (isAddress) bindAbi(id, text as `0x${string}`);
  };
  return (
    <form className="inline" onSubmit={bind}>
      <input
        type="text"
        aria-label={`Address of ${by}`}
        placeholder="Address"
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <button type="submit">Use there only</button>
      <button type="button" onClick={() => bindAbi(id, 'any')}>
        Use for any
      </button>
      <button type="button" onClick={() => removeAbi(id)}>
        Remove
      </button>
      <span role="status">{problem}</span>
    </form>
  );
}
