import type { Explanation } from '../../api/permission-shapes.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink, BlockLink } from '../../parts/link.js';
import { OrgLink } from '../../parts/org-link.js';
import { ShownId } from '../../parts/shown-id.js';
import { StatusBadge } from '../../parts/status-badge.js';
import { ACCOUNT_WORDS, NODE_WORDS, ORG_WORDS } from '../../permissions/permission-words.js';

/** What the node decides, by which rule, and what an admin could do about it. */
export function Decision({ explanation }: { readonly explanation: Explanation }) {
  const { block, isAllowed, rule, reason, remedy } = explanation;
  return (
    <Facts
      of={{
        Decision: (
          <span className={`badge ${isAllowed ? 'good' : 'bad'}`}>{isAllowed ? 'allowed' : 'refused'}</span>
        ),
        Rule: <code>{rule}</code>,
        Reason: <bdi>{reason}</bdi>,
        'What an admin could do': remedy === undefined ? undefined : <bdi>{remedy}</bdi>,
        'As of block': <BlockLink number={block} />,
      }}
    />
  );
}

/** The entries of the permission contracts that the decision was read from. */
export function DecidingRecords({ records }: Pick<Explanation, 'records'>) {
  const { account, org, masterOrg, role, nodes = [] } = records;
  if ([account, org, masterOrg, role, ...nodes].every((entry) => entry === undefined))
    return <p className="empty">No record has a part in it.</p>;
  return (
    <>
      {account && <AccountRecord account={account} />}
      {org && <OrgRecord title="Organization" org={org} />}
      {masterOrg && <OrgRecord title="Master organization" org={masterOrg} />}
      {role && <RoleRecord role={role} />}
      {nodes.map((node) => (
        <NodeRecord key={`${node.orgId} ${node.url}`} node={node} />
      ))}
    </>
  );
}

type Records = Explanation['records'];

const AccountRecord = ({ account }: { readonly account: NonNullable<Records['account']> }) => (
  <Facts
    of={{
      Account: <AddressLink address={account.acctId} />,
      Organization: <OrgLink id={account.orgId} />,
      Role: <ShownId id={account.roleId} />,
      Status: <StatusBadge words={ACCOUNT_WORDS} status={account.status} />,
    }}
  />
);

const OrgRecord = ({ title, org }: { readonly title: string; readonly org: NonNullable<Records['org']> }) => (
  <Facts
    of={{
      [title]: <OrgLink id={org.fullOrgId} />,
      Status: <StatusBadge words={ORG_WORDS} status={org.status} />,
    }}
  />
);

const RoleRecord = ({ role }: { readonly role: NonNullable<Records['role']> }) => (
  <Facts
    of={{
      Role: <ShownId id={role.roleId} />,
      Organization: <OrgLink id={role.orgId} />,
      Access: String(role.access),
      State: role.active ? 'active' : 'removed',
    }}
  />
);

const NodeRecord = ({ node }: { readonly node: NonNullable<Records['nodes']>[number] }) => (
  <Facts
    of={{
      Node: (
        <code>
          <ShownId id={node.url} />
        </code>
      ),
      Organization: <OrgLink id={node.orgId} />,
      Status: <StatusBadge words={NODE_WORDS} status={node.status} />,
    }}
  />
);
