import { useMemo, useState } from 'react';
import type { Org } from '../../api/permission-shapes.js';
import { count, counted } from '../../parts/format.js';
import { OrgLink } from '../../parts/org-link.js';
import { StatusBadge } from '../../parts/status-badge.js';
import { Table } from '../../parts/table.js';
import { treeOf, type PlacedOrg } from '../../permissions/organization-tree.js';
import { ORG_WORDS } from '../../permissions/permission-words.js';

/** Rows that are shown; a network may have 20,000 organizations. */
const MAX_ROWS = 500;
/** Steps to the right. */
const MAX_DEPTH = 8;

/**
 * Organizations, each above those below it.
 * @param props.adminOrg - full id of that of the network admins
 */
export function OrganizationTree(props: {
  readonly orgs: readonly Org[];
  readonly adminOrg: string | undefined;
}) {
  const [wanted, setWanted] = useState('');
  const tree = useMemo(() => treeOf(props.orgs), [props.orgs]);
  const matching = tree.filter(({ org }) => org.fullOrgId.toLowerCase().includes(wanted.toLowerCase()));
  const rows = matching.slice(0, MAX_ROWS);
  return (
    <>
      <p>
        <label>
          Only with this text in their ids{' '}
          <input type="search" value={wanted} onChange={({ target }) => setWanted(target.value)} />
        </label>
      </p>
      <Table
        caption={counted(matching.length, 'organizations')}
        rows={rows}
        keyOf={({ org }) => org.fullOrgId}
        empty="The network has no such organization."
        columns={[
          {
            title: 'Organization',
            cell: (row) => <Placed row={row} isAdmins={row.org.fullOrgId === props.adminOrg} />,
          },
          { title: 'Status', cell: ({ org }) => <StatusBadge words={ORG_WORDS} status={org.status} /> },
          { title: 'Level', isNumber: true, cell: ({ org }) => count(org.level) },
          { title: 'Directly below', isNumber: true, cell: ({ org }) => count(org.subOrgList?.length ?? 0) },
        ]}
      />
      {matching.length > rows.length && (
        <p className="empty">{count(matching.length - rows.length)} further ones are not shown.</p>
      )}
    </>
  );
}

const Placed = ({ row, isAdmins }: { readonly row: PlacedOrg; readonly isAdmins: boolean }) => (
  <span className="placed" style={{ paddingInlineStart: `${1.25 * Math.min(row.depth, MAX_DEPTH)}rem` }}>
    {row.depth > 0 && <span aria-hidden="true">└ </span>}
    <OrgLink id={row.org.fullOrgId} /> {isAdmins && <span className="badge">network admins</span>}
  </span>
);
