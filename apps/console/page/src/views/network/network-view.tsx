import { useEffect, useMemo } from 'react';
import { useBlocks, useNodeStates, useValidators, type NodeState } from '../../api/queries.js';
import type { Network } from '../../api/shapes.js';
import type { SeenNode } from '../../network/seen-changes.js';
import { BlockChart } from '../../parts/block-chart.js';
import { count } from '../../parts/format.js';
import { Loaded, reasonOf } from '../../parts/loaded.js';
import { NetworkPicture } from '../../parts/network-picture.js';
import { Table } from '../../parts/table.js';
import { LastHour } from './last-hour.js';
import { SeenOnPage } from './seen-changes.js';
import { UnlistedNodes } from './unlisted-nodes.js';
import { Validators } from './validators.js';

/** Blocks of the chart. */
const CHART_BLOCKS = 60;
/** Blocks behind the highest head from which on a node is said to be behind. */
const BEHIND = 3;

type StateQuery = ReturnType<typeof useNodeStates>[number];

interface Row {
  readonly name: string;
  readonly address: string;
  readonly hasManager: boolean;
  readonly state: NodeState | undefined;
  /** Why it cannot be asked now. */
  readonly reason: string | undefined;
  readonly isUp: boolean;
}

/** Nodes, their heads and peers, the last blocks, and validators. */
export function NetworkView({ network, node }: { readonly network: Network; readonly node: string }) {
  const states = useNodeStates(network.nodes.map(({ name }) => name));
  const blocks = useBlocks(node, { count: CHART_BLOCKS });
  const validators = useValidators(node);
  const rows = network.nodes.map((one, index) => rowOf(one, states[index]));
  const isShown = blocks.data !== undefined && validators.data !== undefined;
  useFirstViewMark(isShown && rows.some(({ isUp }) => isUp));
  const seen = useSeenNodes(network.nodes, states);
  const highest = Math.max(0, ...rows.flatMap(({ state, isUp }) => (isUp && state ? [state.head] : [])));
  return (
    <>
      <h1>Network {network.chainId}</h1>
      <div className="beside">
        <NodeTable rows={rows} highest={highest} />
        <NetworkPicture nodes={rows} />
      </div>
      <UnlistedNodes
        nodes={network.nodes}
        states={rows.map(({ state }) => state)}
        node={node}
        isWanted={isShown}
      />
      <section aria-labelledby="recent">
        <h2 id="recent">Blocks</h2>
        <Loaded query={blocks}>{(all) => <BlockChart blocks={all} />}</Loaded>
      </section>
      <section aria-labelledby="validators">
        <h2 id="validators">Validators</h2>
        <Loaded query={validators}>{(found) => <Validators found={found} nodes={network.nodes} />}</Loaded>
      </section>
      <section aria-labelledby="hour">
        <h2 id="hour">The last hour</h2>
        <SeenOnPage nodes={seen} />
        <LastHour node={node} isWanted={isShown} />
      </section>
    </>
  );
}

function rowOf(node: Network['nodes'][number], query: StateQuery | undefined): Row {
  const error = query?.error ?? null;
  return {
    ...node,
    state: query?.data,
    reason: error === null ? undefined : reasonOf(error),
    isUp: error === null && query?.data !== undefined,
  };
}

/** Marks when the page first shows the network. */
function useFirstViewMark(isFirstView: boolean): void {
  useEffect(() => {
    if (isFirstView) performance.mark('first-view');
  }, [isFirstView]);
}

/** The same list as long as no state is another one. */
function useSeenNodes(
  nodes: Network['nodes'],
  states: ReturnType<typeof useNodeStates>,
): readonly SeenNode[] {
  const version = states.map(({ dataUpdatedAt, errorUpdatedAt }) => `${dataUpdatedAt} ${errorUpdatedAt}`);
  // States are new with every drawing; their times say what changed.
  return useMemo(() => nodes.map(({ name }, at) => seenNode(name, states[at])), [nodes, version.join()]);
}

function seenNode(name: string, query: StateQuery | undefined): SeenNode {
  const { data, error } = query ?? {};
  const isUp = error ? false : data === undefined ? undefined : true;
  const { version, peerIds, peerEnodes } = (isUp === true ? data : undefined) ?? {};
  const peers = peerIds && new Map(peerIds.map((id, at) => [id, peerEnodes?.[at] ?? id]));
  return { name, isUp, version, peers };
}

function NodeTable({ rows, highest }: { readonly rows: readonly Row[]; readonly highest: number }) {
  return (
    <Table
      caption="Nodes"
      rows={rows}
      keyOf={({ name }) => name}
      empty="The endpoints file names no node."
      columns={[
        { title: 'Node', cell: ({ name }) => <bdi>{name}</bdi> },
        { title: 'State', cell: (row) => <State row={row} highest={highest} /> },
        {
          title: 'Head',
          isNumber: true,
          cell: ({ state }) => (state === undefined ? '–' : count(state.head)),
        },
        {
          title: 'Behind',
          isNumber: true,
          cell: ({ state }) => (state === undefined ? '–' : count(Math.max(0, highest - state.head))),
        },
        { title: 'Peers', isNumber: true, cell: ({ state, isUp }) => (isUp && state ? state.peers : '–') },
        { title: 'Manager', cell: ({ hasManager }) => (hasManager ? 'yes' : 'none') },
        { title: 'Client', cell: ({ state }) => <bdi>{state?.version ?? '–'}</bdi> },
      ]}
    />
  );
}

function State({ row, highest }: { readonly row: Row; readonly highest: number }) {
  if (row.reason !== undefined)
    return (
      <span className="badge bad">
        down: <bdi>{row.reason}</bdi>
      </span>
    );
  if (row.state === undefined) return <span className="badge">asking…</span>;
  if (highest - row.state.head >= BEHIND) return <span className="badge warn">behind</span>;
  return <span className="badge good">up</span>;
}
