import { useEffect, useState } from 'react';
import { SeenChanges, type SeenChange, type SeenNode } from '../../network/seen-changes.js';
import { time } from '../../parts/format.js';
import { Table } from '../../parts/table.js';

/** Of the page, as long as it is open. */
const seen = new SeenChanges();

/** What became of nodes while the page showed them. */
export function SeenOnPage({ nodes }: { readonly nodes: readonly SeenNode[] }) {
  const [changes, setChanges] = useState(seen.all);
  useEffect(() => {
    seen.look(nodes, Date.now());
    setChanges(seen.all);
  }, [nodes]);
  return (
    <Table
      caption="Seen on this page while it showed the network"
      rows={changes}
      keyOf={({ id }) => String(id)}
      empty="No node was lost, no client changed, and no peer came or went."
      columns={[
        { title: 'Time', cell: (change) => time(change.time / 1_000) },
        { title: 'Node', cell: ({ node }) => <bdi>{node}</bdi> },
        { title: 'What', cell: (change) => <What of={change} /> },
      ]}
    />
  );
}

const WORDS: Readonly<Record<SeenChange['kind'], string>> = {
  lost: 'does not answer',
  back: 'answers again',
  version: 'client is now ',
  'peer gone': 'lost the peer ',
  'peer new': 'has a new peer: ',
};

function What({ of: { kind, what } }: { readonly of: SeenChange }) {
  return (
    <>
      {WORDS[kind]}
      {what !== undefined && <bdi>{what}</bdi>}
    </>
  );
}
