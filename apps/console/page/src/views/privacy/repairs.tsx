import { useRepairs } from '../../api/repair-queries.js';
import type { Column } from '../../parts/column.js';
import { count, short, time } from '../../parts/format.js';
import { BlockLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { PrivacyLink } from '../../parts/privacy-link.js';
import { Table } from '../../parts/table.js';
import type { RepairRow } from '../../privacy/repair-rows.js';

/**
 * Private contracts that were replaced by what another party had, at the node or at parties that have told it.
 * @param props.contract - all of them without it
 */
export function Repairs({ node, contract }: { readonly node: string; readonly contract?: string }) {
  const columns = contract === undefined ? [CONTRACT, ...COLUMNS] : COLUMNS;
  return (
    <Loaded query={useRepairs(node, contract)}>
      {(repairs) =>
        repairs.kind === 'refused' ? (
          <p className="stale">
            Not known: <bdi>{repairs.reason}</bdi>.
          </p>
        ) : (
          <Table
            caption="Replaced by what another party had"
            rows={repairs.rows}
            keyOf={nameOf}
            empty="This node knows of none that was repaired."
            columns={columns}
          />
        )
      }
    </Loaded>
  );
}

function nameOf({ block, contract, by }: RepairRow): string {
  return `${block} ${contract} ${by.kind === 'node' ? '' : by.ptmKey}`;
}

const CONTRACT: Column<RepairRow> = {
  title: 'Contract',
  cell: ({ contract }) => <PrivacyLink id={contract} />,
};

const COLUMNS: readonly Column<RepairRow>[] = [
  {
    title: 'At the end of block',
    isNumber: true,
    cell: ({ block }) => <BlockLink number={block} />,
    sortBy: ({ block }) => block,
  },
  { title: 'Where', cell: ({ by }) => (by.kind === 'node' ? 'at this node' : <code>{by.ptmKey}</code>) },
  { title: 'State of', cell: ({ by }) => (by.kind === 'node' ? <code>{by.from}</code> : '–') },
  { title: 'Reason', cell: ({ by }) => (by.kind === 'node' ? <bdi>{by.reason}</bdi> : '–') },
  { title: 'Parties', cell: (row) => <Others by={row.by} /> },
  {
    title: 'Storage root',
    cell: ({ rootBefore, rootAfter }) => (
      <>
        <code title={rootBefore}>{short(rootBefore)}</code>
        {', then '}
        <code title={rootAfter}>{short(rootAfter)}</code>
      </>
    ),
  },
  { title: 'When', cell: ({ at }) => time(at), sortBy: ({ at }) => at },
];

function Others({ by }: Pick<RepairRow, 'by'>) {
  if (by.kind === 'party')
    return by.isSame ? (
      <span className="badge good">the same here</span>
    ) : (
      <span className="badge bad">another state here</span>
    );
  return (
    <>
      {`signed by ${count(by.signed)}`}
      {by.untold > 0 && ' '}
      {by.untold > 0 && <span className="badge warn">{count(by.untold)} not told yet</span>}
    </>
  );
}
