/** Names and limits from the configuration of the network. */
export interface PermissionPolicy {
  /** The organization of the network admins, whose voters approve. */
  readonly networkAdminOrg: string;
  readonly networkAdminRole: string;
  /** The role of the admin of each other organization. */
  readonly orgAdminRole: string;
  /** Greatest level of an organization. */
  readonly subOrgDepth: number;
  /** Maximum number of direct children of an organization. */
  readonly subOrgBreadth: number;
}

/** Whether it is one of the two roles that only votes assign. */
export function isAdminRole({ networkAdminRole, orgAdminRole }: PermissionPolicy, roleId: string): boolean {
  return roleId === networkAdminRole || roleId === orgAdminRole;
}
