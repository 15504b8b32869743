import { useOrgDetails, type FoundPermissions } from '../api/permission-queries.js';
import type { Org, OrgDetails } from '../api/permission-shapes.js';
import { count } from '../parts/format.js';
import { Facts } from '../parts/facts.js';
import { AddressLink, Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { OrgLink, WhyLink } from '../parts/org-link.js';
import { ShownId } from '../parts/shown-id.js';
import { StatusBadge } from '../parts/status-badge.js';
import { Table, type Column } from '../parts/table.js';
import { ACCOUNT_WORDS, NODE_WORDS, ORG_WORDS, accessInWords } from '../permissions/permission-words.js';
import { Decision } from './explanation.js';

/** Rows of a list that are shown; counts are of all. */
const MAX_ROWS = 1_000;

/** One organization: its place, its roles, accounts and nodes. In: id — full id, from the address */
export function OrganizationView(props: FoundPermissions & { readonly node: string; readonly id: string }) {
  const query = useOrgDetails(props.node, props.id);
  const org = props.orgs.find(({ fullOrgId }) => fullOrgId === props.id);
  return (
    <Loaded query={query}>
      {(found) =>
        found === null || org === undefined ? (
          <Missing id={props.id} />
        ) : (
          <>
            <Place org={org} isAdmins={org.fullOrgId === props.admins?.orgId} />
            <Decision explanation={found.explanation} />
            <Lists details={found.details} of={props} />
          </>
        )
      }
    </Loaded>
  );
}

const Missing = ({ id }: { readonly id: string }) => (
  <>
    <h1>No such organization</h1>
    <p className="empty">
      The network has no organization <ShownId id={id} />.
    </p>
  </>
);

function Place({ org, isAdmins }: { readonly org: Org; readonly isAdmins: boolean }) {
  const { fullOrgId, parentOrgId, ultimateParent, subOrgList } = org;
  return (
    <>
      <nav aria-label="Permissions" className="pages">
        <Link to="/permissions">All organizations</Link>
      </nav>
      <h1>
        Organization <ShownId id={fullOrgId} />
      </h1>
      <Facts
        of={{
          Status: <StatusBadge words={ORG_WORDS} status={org.status} />,
          Level: count(org.level),
          Votes: isAdmins ? 'its network admins vote for the whole network' : undefined,
          Parent: org.level > 1 ? <OrgLink id={parentOrgId} /> : undefined,
          'Master organization': org.level > 1 ? <OrgLink id={ultimateParent} /> : undefined,
          'Directly below': subOrgList?.length ? <Below ids={subOrgList} /> : undefined,
        }}
      />
    </>
  );
}

const Below = ({ ids }: { readonly ids: readonly string[] }) => (
  <ul className="inline">
    {ids.slice(0, MAX_ROWS).map((id) => (
      <li key={id}>
        <OrgLink id={id} />
      </li>
    ))}
  </ul>
);

function Lists({
  details,
  of,
}: {
  readonly details: OrgDetails;
  readonly of: Pick<FoundPermissions, 'model'>;
}) {
  const { roleList, acctList, nodeList } = details;
  return (
    <>
      <List
        of="roles"
        rows={roleList}
        keyOf={({ roleId }) => roleId}
        columns={[
          { title: 'Role', cell: ({ roleId }) => <ShownId id={roleId} /> },
          { title: 'Permits', cell: ({ access }) => accessInWords(access, of.model) },
          { title: 'Of', cell: ({ isAdmin }) => (isAdmin ? 'admins' : 'accounts') },
          { title: 'Votes', cell: ({ isVoter }) => (isVoter ? 'yes' : 'no') },
          { title: 'State', cell: ({ active }) => <Active is={active} /> },
        ]}
      />
      <List
        of="accounts"
        rows={acctList}
        keyOf={({ acctId }) => acctId}
        columns={[
          { title: 'Account', cell: ({ acctId }) => <AddressLink address={acctId} /> },
          { title: 'Role', cell: ({ roleId }) => <ShownId id={roleId} /> },
          { title: 'Admin', cell: ({ isOrgAdmin }) => (isOrgAdmin ? 'yes' : 'no') },
          { title: 'Status', cell: ({ status }) => <StatusBadge words={ACCOUNT_WORDS} status={status} /> },
          { title: 'Permissions', cell: ({ acctId }) => <WhyLink subject="account" id={acctId} /> },
        ]}
      />
      <List
        of="nodes"
        rows={nodeList}
        keyOf={({ url }) => url}
        columns={[
          {
            title: 'Node',
            cell: ({ url }) => (
              <code>
                <ShownId id={url} />
              </code>
            ),
          },
          { title: 'Status', cell: ({ status }) => <StatusBadge words={NODE_WORDS} status={status} /> },
          { title: 'Permissions', cell: ({ url }) => <WhyLink subject="node" id={url} /> },
        ]}
      />
    </>
  );
}

const Active = ({ is }: { readonly is: boolean }) => (
  <span className={`badge ${is ? 'good' : 'bad'}`}>{is ? 'active' : 'removed'}</span>
);

function List<Row>(props: {
  readonly of: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
}) {
  const { of, rows, keyOf, columns } = props;
  const more = rows.length - MAX_ROWS;
  return (
    <>
      <Table
        caption={`${count(rows.length)} ${of}`}
        rows={rows.slice(0, MAX_ROWS)}
        keyOf={keyOf}
        empty={`The organization has no ${of} of its own.`}
        columns={columns}
      />
      {more > 0 && <p className="empty">{count(more)} further ones are not shown.</p>}
    </>
  );
}
