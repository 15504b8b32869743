import { usePermissions, useWaiting, type FoundPermissions } from '../../api/permission-queries.js';
import { Facts } from '../../parts/facts.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { OrgLink } from '../../parts/org-link.js';
import { ShownId } from '../../parts/shown-id.js';
import { idFromAddress } from '../../permissions/permission-ids.js';
import type { PermissionModel } from '../../permissions/permission-words.js';
import { useAddress } from '../../routing.js';
import { ADD_ORG } from '../../permissions/permission-actions.js';
import { ActionForm } from './action-form.js';
import { SigningAccount, useSigningAccount } from './signing-account.js';
import { OrganizationTree } from './organization-tree.js';
import { OrganizationView } from './organization-view.js';
import { PendingVotes } from './pending-votes.js';
import { Voters } from './voters.js';
import { WithoutPermissions } from './without-permissions.js';

/** Organizations and what waits for votes; with `org` in the address one organization. */
export function PermissionsView({ node }: { readonly node: string }) {
  const part = useAddress().searchParams.get('org');
  const query = usePermissions(node);
  return (
    <Loaded query={query}>
      {(found) => {
        if (found === null)
          return (
            <>
              <h1>Permissions</h1>
              <WithoutPermissions />
            </>
          );
        if (part === null) return <Overview node={node} {...found} />;
        return <OrganizationView node={node} id={idFromAddress(part) ?? part} {...found} />;
      }}
    </Loaded>
  );
}

function Overview({ node, orgs, admins, model, isInForce }: FoundPermissions & { readonly node: string }) {
  const waiting = useWaiting(node);
  const sender = useSigningAccount(node, admins?.accounts.map(({ acctId }) => acctId) ?? []);
  return (
    <>
      <h1>Permissions</h1>
      <Facts
        of={{
          State: isInForce === false ? <NotInForce /> : undefined,
          Model: model === undefined ? undefined : MODELS[model],
          'Network admins': admins && <OrgLink id={admins.orgId} />,
          'Their role': admins?.roleId === undefined ? undefined : <ShownId id={admins.roleId} />,
          'In office': admins && <Voters admins={admins} />,
        }}
      />
      <p>
        <Link to="/permissions/explain">Why is something permitted or refused?</Link>
      </p>
      <SigningAccount chosen={sender} />
      <section aria-labelledby="pending">
        <h2 id="pending">Waiting for votes</h2>
        <Loaded query={waiting}>
          {(lists) => <PendingVotes entries={{ orgs, ...lists }} admins={admins} by={sender.by} />}
        </Loaded>
      </section>
      <section aria-labelledby="organizations">
        <h2 id="organizations">Organizations</h2>
        <ActionForm by={sender.by} actions={[ADD_ORG]} choices={{ orgId: '', details: NO_DETAILS, model }} />
        <OrganizationTree orgs={orgs} adminOrg={admins?.orgId} />
      </section>
    </>
  );
}

/** An organization that is proposed has nothing yet to choose from. */
const NO_DETAILS = { nodeList: [], roleList: [], acctList: [] };

const MODELS: Readonly<Record<PermissionModel, string>> = {
  v1: 'v1: nodes are known by their keys',
  v2: 'v2: nodes are known by their keys and hosts',
};

const NotInForce = () => <span className="badge warn">not in force yet</span>;
