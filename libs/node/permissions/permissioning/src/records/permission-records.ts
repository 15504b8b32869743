import type { Address } from '@tetrad/types';
import { BoundedEntries } from './bounded-entries.js';
import {
  ACCOUNT_STATUS,
  NODE_STATUS,
  ORG_STATUS,
  fullOrgId,
  type AccountEntry,
  type NodeEntry,
  type OrgDetails,
  type OrgEntry,
  type OrgRecord,
  type RoleEntry,
} from './entries.js';
import type { NodeEventName, PermissionEvent } from './events.js';
import { nodeIdIn } from './node-url.js';

/** Maximum number of entries of each kind. */
export interface RecordCapacity {
  readonly orgs: number;
  readonly roles: number;
  readonly nodes: number;
  readonly accounts: number;
  /** Part of each that one master organization may fill, with those below it; from 0 to 1, all of it when absent. */
  readonly orgShare?: number;
}

/** A kind of entries. */
export type RecordKind = 'orgs' | 'roles' | 'nodes' | 'accounts';

/**
 * Ten times the sizes of GoQuorum's caches, beyond which it reads the contracts again. The admin of an organization adds
 * entries without a vote, so that without shares one could take the room of all others.
 */
export const DEFAULT_RECORD_CAPACITY: RecordCapacity = {
  orgs: 20_000,
  roles: 25_000,
  nodes: 10_000,
  accounts: 60_000,
  orgShare: 0.25,
};

/** Maximum length of an id or URL in characters; an entry with a longer one is left out. */
export const MAX_RECORD_TEXT = 4_096;

const STATUS_AFTER: Readonly<Record<NodeEventName, number>> = {
  NodeProposed: NODE_STATUS.proposed,
  NodeApproved: NODE_STATUS.approved,
  NodeDeactivated: NODE_STATUS.deactivated,
  NodeActivated: NODE_STATUS.approved,
  NodeBlacklisted: NODE_STATUS.denylisted,
  NodeRecoveryInitiated: NODE_STATUS.recovering,
  NodeRecoveryCompleted: NODE_STATUS.approved,
};

/**
 * This node's copy of the entries of the permission contracts: read once, then kept up to date by events.
 *
 * Lists are in the order in which entries were added to the contracts, which is that of their indexes; changes of an entry do
 * not move it. An entry beyond the capacity is left out, and so has no permission.
 */
export class PermissionRecords {
  private readonly orgEntries: BoundedEntries<OrgEntry>;
  private readonly roleEntries: BoundedEntries<RoleEntry>;
  private readonly nodeEntries: BoundedEntries<NodeEntry>;
  private readonly accountEntries: BoundedEntries<AccountEntry>;
  /** Keys of nodes by node id and by URL, in the order in which they were added. */
  private readonly nodeKeys = new Map<string, string[]>();
  private booted = false;
  private omitted = 0;
  private crowded = 0;

  constructor(capacity: RecordCapacity = DEFAULT_RECORD_CAPACITY) {
    const share = (entries: number) => Math.ceil(entries * (capacity.orgShare ?? 1));
    this.orgEntries = new BoundedEntries(capacity.orgs, share(capacity.orgs));
    this.roleEntries = new BoundedEntries(capacity.roles, share(capacity.roles));
    this.nodeEntries = new BoundedEntries(capacity.nodes, share(capacity.nodes));
    this.accountEntries = new BoundedEntries(capacity.accounts, share(capacity.accounts));
  }

  /** Whether another entry of the organization, given by its full id, would be kept. */
  hasRoomFor(kind: RecordKind, orgId: string): boolean {
    const { orgEntries, roleEntries, nodeEntries, accountEntries } = this;
    const entries = { orgs: orgEntries, roles: roleEntries, nodes: nodeEntries, accounts: accountEntries };
    return entries[kind].hasRoomFor(masterIn(orgId));
  }

  /** Whether the contracts have reported that the network is set up. */
  get networkBoot(): boolean {
    return this.booted;
  }

  /** Number of times that an entry was left out: its organization has its share, a text is too long, or all is full. */
  get leftOut(): number {
    return this.omitted;
  }

  /** How often that was for others' entries: its organization had not used its share, and its texts are in bounds. */
  get crowdedOut(): number {
    return this.crowded;
  }

  /** Applies an event, in the order of the chain; applying it again changes nothing. */
  apply(event: PermissionEvent): void {
    switch (event.name) {
      case 'OrgPendingApproval':
        return this.putOrg(event);
      case 'OrgApproved':
      case 'OrgSuspensionRevoked':
        return this.putOrg({ ...event, status: ORG_STATUS.approved });
      case 'OrgSuspended':
        return this.putOrg({ ...event, status: ORG_STATUS.suspended });
      case 'RoleCreated':
        return this.putRole({ ...event, active: true });
      case 'RoleRevoked':
        return this.revokeRole(event.orgId, event.roleId);
      case 'AccountAccessModified':
        return this.assignRole(event);
      case 'AccountAccessRevoked':
        return this.putAccount({ ...event, acctId: event.account, status: ACCOUNT_STATUS.revoked });
      case 'AccountStatusChanged':
        return this.changeAccountStatus(event.account, event.orgId, event.status);
      case 'PermissionsInitialized':
        this.booted = event.networkBoot;
        return;
      default:
        return this.putNode({ orgId: event.orgId, url: event.url, status: STATUS_AFTER[event.name] });
    }
  }

  /** Adds or replaces an organization; an existing one keeps its sub-organizations. */
  putOrg({ orgId, parentOrgId, ultimateParent, level, status }: OrgRecord): void {
    const id = fullOrgId({ parentOrgId, orgId, level });
    const subOrgList = this.org(id)?.subOrgList ?? null;
    const entry = { orgId, fullOrgId: id, parentOrgId, ultimateParent, level, subOrgList, status };
    const isNew = this.org(id) === undefined;
    if (!this.keep(this.orgEntries, id, entry, [id, ultimateParent])) return;
    const parent = level > 1 ? this.org(parentOrgId) : undefined;
    if (!isNew || parent === undefined) return;
    const subOrgs = [...(parent.subOrgList ?? []), id];
    this.orgEntries.put(parentOrgId, { ...parent, subOrgList: subOrgs }, masterIn(id));
  }

  putRole({ orgId, roleId, isVoter, isAdmin, access, active }: RoleEntry): void {
    const entry = { orgId, roleId, isVoter, isAdmin, access, active };
    this.keep(this.roleEntries, pairKey(orgId, roleId), entry, [orgId, roleId]);
  }

  putNode({ orgId, url, status }: NodeEntry): void {
    const key = pairKey(orgId, url);
    const isNew = this.nodeEntries.get(key) === undefined;
    if (!this.keep(this.nodeEntries, key, { orgId, url, status }, [orgId, url]) || !isNew) return;
    const nodeId = nodeIdIn(url);
    for (const name of new Set(nodeId === undefined ? [url] : [url, nodeId])) {
      this.nodeKeys.set(name, [...(this.nodeKeys.get(name) ?? []), key]);
    }
  }

  putAccount({ orgId, roleId, acctId, isOrgAdmin, status }: AccountEntry): void {
    const entry = { orgId, roleId, acctId, isOrgAdmin, status };
    this.keep(this.accountEntries, acctId, entry, [orgId, roleId]);
  }

  org(id: string): OrgEntry | undefined {
    return this.orgEntries.get(id);
  }

  role(orgId: string, roleId: string): RoleEntry | undefined {
    return this.roleEntries.get(pairKey(orgId, roleId));
  }

  account(account: Address): AccountEntry | undefined {
    return this.accountEntries.get(account);
  }

  /** The nodes with the URL, or with the node id in lower case; several where the contracts did not check for duplicates. */
  nodesNamed(urlOrNodeId: string): readonly NodeEntry[] {
    const keys = this.nodeKeys.get(urlOrNodeId) ?? [];
    return keys.map((key) => this.nodeEntries.get(key)).filter((entry) => entry !== undefined);
  }

  orgs(): readonly OrgEntry[] {
    return this.orgEntries.values();
  }

  roles(): readonly RoleEntry[] {
    return this.roleEntries.values();
  }

  nodes(): readonly NodeEntry[] {
    return this.nodeEntries.values();
  }

  accounts(): readonly AccountEntry[] {
    return this.accountEntries.values();
  }

  /** Undefined when the organization does not exist. */
  detailsOf(orgId: string): OrgDetails | undefined {
    const org = this.org(orgId);
    if (org === undefined) return undefined;
    const isOwn = (entry: { readonly orgId: string }) => entry.orgId === orgId;
    return {
      nodeList: nullWhenEmpty(this.nodes().filter(isOwn)),
      roleList: nullWhenEmpty(this.roles().filter(isOwn)),
      acctList: nullWhenEmpty(this.accounts().filter(isOwn)),
      subOrgList: org.subOrgList,
    };
  }

  private revokeRole(orgId: string, roleId: string): void {
    const role = this.role(orgId, roleId);
    if (role !== undefined) this.putRole({ ...role, active: false });
  }

  /** An account stays in its organization, even if the event names another one, as in the contracts. */
  private assignRole({ account, orgId, ...role }: PermissionEvent & { name: 'AccountAccessModified' }): void {
    this.putAccount({ ...role, acctId: account, orgId: this.account(account)?.orgId ?? orgId });
  }

  private changeAccountStatus(account: Address, orgId: string, status: number): void {
    const entry = this.account(account);
    if (entry !== undefined) this.putAccount({ ...entry, orgId, status });
  }

  /** @param texts - bounded ones of the entry, first the id of its organization */
  private keep<Entry>(
    entries: BoundedEntries<Entry>,
    key: string,
    entry: Entry,
    texts: readonly [orgId: string, ...others: string[]],
  ): boolean {
    const owner = masterIn(texts[0]);
    const isBounded = texts.every((text) => text.length <= MAX_RECORD_TEXT);
    if (isBounded && entries.put(key, entry, owner)) return true;
    // What it was before must not stay in force.
    if (!isBounded) entries.remove(key);
    else if (!entries.isShareUsed(owner)) this.crowded += 1;
    this.omitted += 1;
    return false;
  }
}

/** The master organization in a full id: entries of organizations that are left out themselves count as its own. */
function masterIn(orgId: string): string {
  const end = orgId.indexOf('.');
  return end === -1 ? orgId : orgId.slice(0, end);
}

/** An unambiguous key of two texts. */
function pairKey(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}

function nullWhenEmpty<Entry>(entries: readonly Entry[]): readonly Entry[] | null {
  return entries.length === 0 ? null : entries;
}
