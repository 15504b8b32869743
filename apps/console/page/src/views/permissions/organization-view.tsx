import { useOrgDetails, type FoundPermissions } from '../../api/permission-queries.js';
import type { Org, OrgDetails, PermittedAccount, PermittedNode, Role } from '../../api/permission-shapes.js';
import type { Column } from '../../parts/column.js';
import { count } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink, Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { OrgLink, WhyLink } from '../../parts/org-link.js';
import { ShownId } from '../../parts/shown-id.js';
import { StatusBadge } from '../../parts/status-badge.js';
import { Table } from '../../parts/table.js';
import {
  ORG_ACTIONS,
  accountActions,
  nodeActions,
  orgActions,
  roleActions,
  type EntryAction,
} from '../../permissions/permission-actions.js';
import {
  ACCOUNT_WORDS,
  NODE_WORDS,
  ORG_WORDS,
  accessInWords,
  type PermissionModel,
} from '../../permissions/permission-words.js';
import type { Sender } from '../../permissions/permission-write.js';
import { ActionForm } from './action-form.js';
import { SigningAccount, useSigningAccount } from './signing-account.js';
import { PermissionButtons } from './permission-buttons.js';
import { Decision } from './explanation.js';

/** Rows of a list that are shown; counts are of all. */
const MAX_ROWS = 1_000;

/**
 * One organization: its place, its roles, accounts and nodes.
 * @param props.id - full id, from the address
 */
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
            <Entries {...props} org={org} details={found.details} />
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

/** What belongs to it, and how it is changed. */
function Entries(
  props: FoundPermissions & { readonly node: string; readonly org: Org; readonly details: OrgDetails },
) {
  const { node, org, details, admins, model } = props;
  const ownAdmins = details.acctList.filter(({ isOrgAdmin }) => isOrgAdmin);
  const likely = [...ownAdmins, ...(admins?.accounts ?? [])].map(({ acctId }) => acctId);
  const sender = useSigningAccount(node, likely);
  const { by } = sender;
  const { fullOrgId: orgId, level, status } = org;
  const own = { details, orgId, by };
  return (
    <>
      <SigningAccount chosen={sender} />
      {level === 1 && <PermissionButtons by={by} actions={orgActions(orgId, status)} />}
      <ActionForm by={by} actions={ORG_ACTIONS} choices={{ orgId, details, model }} />
      <Roles {...own} model={model} />
      <Accounts {...own} />
      <Nodes {...own} />
    </>
  );
}

interface OwnEntries {
  readonly details: OrgDetails;
  readonly orgId: string;
  readonly by: Sender | undefined;
}

/** A column of buttons, for those who may. */
function changes<Row>(
  by: Sender | undefined,
  actionsOf: (row: Row) => readonly EntryAction[],
): Column<Row>[] {
  if (by === undefined) return [];
  return [{ title: 'Change', cell: (row) => <PermissionButtons by={by} actions={actionsOf(row)} /> }];
}

function Roles(props: OwnEntries & { readonly model: PermissionModel | undefined }) {
  const { details, model, orgId, by } = props;
  return (
    <List
      of="roles"
      rows={details.roleList}
      keyOf={({ roleId }) => roleId}
      columns={[
        { title: 'Role', cell: ({ roleId }) => <ShownId id={roleId} /> },
        { title: 'Permits', cell: ({ access }) => accessInWords(access, model) },
        { title: 'Of', cell: ({ isAdmin }) => (isAdmin ? 'admins' : 'accounts') },
        { title: 'Votes', cell: ({ isVoter }) => (isVoter ? 'yes' : 'no') },
        { title: 'State', cell: ({ active }) => <Active is={active} /> },
        ...changes<Role>(by, ({ roleId, active }) => roleActions(orgId, roleId, active)),
      ]}
    />
  );
}

function Accounts({ details, orgId, by }: OwnEntries) {
  return (
    <List
      of="accounts"
      rows={details.acctList}
      keyOf={({ acctId }) => acctId}
      columns={[
        { title: 'Account', cell: ({ acctId }) => <AddressLink address={acctId} /> },
        { title: 'Role', cell: ({ roleId }) => <ShownId id={roleId} /> },
        { title: 'Admin', cell: ({ isOrgAdmin }) => (isOrgAdmin ? 'yes' : 'no') },
        { title: 'Status', cell: ({ status }) => <StatusBadge words={ACCOUNT_WORDS} status={status} /> },
        { title: 'Permissions', cell: ({ acctId }) => <WhyLink subject="account" id={acctId} /> },
        ...changes<PermittedAccount>(by, ({ acctId, status }) => accountActions(orgId, acctId, status)),
      ]}
    />
  );
}

function Nodes({ details, orgId, by }: OwnEntries) {
  return (
    <List
      of="nodes"
      rows={details.nodeList}
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
        ...changes<PermittedNode>(by, ({ url, status }) => nodeActions(orgId, url, status)),
      ]}
    />
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
