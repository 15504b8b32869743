import type { Address } from '@tetrad/types';
import type { AccessRecords } from '../records/access.js';
import type { AccountEntry, NodeEntry, OrgEntry, RoleEntry } from '../records/entries.js';
import type { PermissionRecords } from '../records/permission-records.js';

/** Records with a few entries that differ; the others are read where they are, which does not change. */
export class ChangedRecords implements AccessRecords, Pick<PermissionRecords, 'nodesNamed'> {
  changedOrg: OrgEntry | undefined;
  changedRole: RoleEntry | undefined;
  changedNode: NodeEntry | undefined;
  readonly changedAccounts = new Map<Address, AccountEntry>();

  constructor(readonly before: PermissionRecords) {}

  org(id: string): OrgEntry | undefined {
    return this.changedOrg?.fullOrgId === id ? this.changedOrg : this.before.org(id);
  }

  role(orgId: string, roleId: string): RoleEntry | undefined {
    const { changedRole } = this;
    const isChanged = changedRole?.orgId === orgId && changedRole.roleId === roleId;
    return isChanged ? changedRole : this.before.role(orgId, roleId);
  }

  account(account: Address): AccountEntry | undefined {
    return this.changedAccounts.get(account) ?? this.before.account(account);
  }

  nodesNamed(urlOrNodeId: string): readonly NodeEntry[] {
    const { changedNode } = this;
    return this.before
      .nodesNamed(urlOrNodeId)
      .map((node) =>
        node.orgId === changedNode?.orgId && node.url === changedNode.url ? changedNode : node,
      );
  }

  /** The accounts whose permissions may differ: those that changed, and those of a changed organization or role. */
  *accountsConcerned(): Generator<Address> {
    yield* this.changedAccounts.keys();
    const { changedOrg, changedRole } = this;
    const master = changedOrg?.fullOrgId ?? changedRole?.orgId;
    if (master === undefined) return;
    for (const { acctId, orgId, roleId } of this.before.accounts())
      if (isWithin(orgId, master) && (changedRole === undefined || roleId === changedRole.roleId))
        yield acctId;
  }
}

function isWithin(orgId: string, master: string): boolean {
  return orgId === master || orgId.startsWith(`${master}.`);
}
