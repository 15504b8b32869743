import type { UseQueryResult } from '@tanstack/react-query';
import { useFollowers } from '../../api/privacy-queries.js';
import type { Network } from '../../api/shapes.js';
import { counted } from '../../parts/format.js';
import { reasonOf } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import type { FollowerState } from '../../privacy/follower-state.js';

interface Row {
  readonly name: string;
  readonly query: UseQueryResult<FollowerState> | undefined;
}

/** Whether private states follow the chain, and why one does not. */
export function Followers({ nodes }: { readonly nodes: Network['nodes'] }) {
  const queries = useFollowers(nodes.map(({ name }) => name));
  const rows = nodes.map(({ name }, index): Row => ({ name, query: queries[index] }));
  return (
    <Table
      caption="Private states of the nodes"
      rows={rows}
      keyOf={({ name }) => name}
      empty="The endpoints file names no node."
      columns={[
        { title: 'Node', cell: ({ name }) => <bdi>{name}</bdi> },
        { title: 'Private state', cell: ({ query }) => <State query={query} /> },
        { title: 'Why', cell: ({ query }) => <bdi>{reasonIn(query) ?? '–'}</bdi> },
      ]}
    />
  );
}

function State({ query }: Pick<Row, 'query'>) {
  if (query?.error) return <span className="badge bad">down</span>;
  const { data } = query ?? {};
  switch (data?.kind) {
    case undefined:
      return <span className="badge">asking…</span>;
    case 'none':
      return <span className="badge">no manager</span>;
    case 'follows':
      return <span className="badge good">follows the chain</span>;
    case 'unknown':
      return <span className="badge">not known</span>;
    case 'behind':
      return (
        <span className="badge warn">
          {data.blocks === undefined ? 'behind' : `${counted(data.blocks, 'blocks')} behind`}
        </span>
      );
  }
}

function reasonIn(query: Row['query']): string | undefined {
  if (query?.error) return reasonOf(query.error);
  const { data } = query ?? {};
  return data?.kind === 'behind' || data?.kind === 'unknown' ? data.reason : undefined;
}
