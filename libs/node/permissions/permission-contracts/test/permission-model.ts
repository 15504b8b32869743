import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import type {
  AccountEntry,
  NodeEntry,
  OrgEntry,
  PermissionModel,
  PermissionNode,
  PermissionOperation,
  RoleEntry,
} from '../src/index.js';
import { POLICY, nodeOf, type Records } from './permission-chain.js';

/** Thrown with the text of the expected revert. */
export class Rejection extends Error {}

type Writable<Entry> = { -readonly [Key in keyof Entry]: Entry[Key] };
type Named<Name extends PermissionOperation['name']> = Extract<PermissionOperation, { name: Name }>;

function need(condition: boolean, text: string): asserts condition {
  if (!condition) throw new Rejection(text);
}

/** A model of the permission contracts by the tables of statuses and votes, without storage, guards and gas. */
export class ModelNetwork {
  private readonly orgs: Writable<OrgEntry>[] = [];
  private readonly roles: Writable<RoleEntry>[] = [];
  private readonly accounts: Writable<AccountEntry>[] = [];
  private readonly nodes: Writable<NodeEntry>[] = [];
  private readonly admins = new Map<string, Address>();
  private readonly voters = new Set<Address>();
  private votes = new Set<Address>();
  private pending: Records['pending'] = NOTHING;

  constructor(
    private readonly model: PermissionModel,
    admins: readonly Address[],
    private readonly limits: { readonly breadth: number; readonly depth: number },
  ) {
    const orgId = POLICY.networkAdminOrg;
    this.orgs.push({ orgId, fullOrgId: orgId, parentOrgId: '', ultimateParent: orgId, level: 1, status: 2 });
    this.addRole(POLICY.networkAdminRole, orgId, 3, true, true);
    this.addNode(nodeOf(1), orgId, 2);
    for (const account of admins) {
      this.voters.add(account);
      this.assign(account, orgId, POLICY.networkAdminRole, 2, true);
    }
  }

  /** An independent copy of the state. */
  copy(): ModelNetwork {
    const copy = new ModelNetwork(this.model, [], this.limits);
    for (const list of ['orgs', 'roles', 'accounts', 'nodes'] as const) {
      const entries: object[] = this[list].map((entry) => ({ ...entry }));
      (copy[list] as object[]).splice(0, Infinity, ...entries);
    }
    for (const [orgId, admin] of this.admins) copy.admins.set(orgId, admin);
    for (const voter of this.voters) copy.voters.add(voter);
    copy.votes = new Set(this.votes);
    copy.pending = this.pending;
    return copy;
  }

  get records(): Records {
    const { orgs, roles, accounts, nodes, pending } = this;
    return { orgs, roles, accounts, nodes, pending };
  }

  /** @throws Rejection, after which the model must be discarded, since contracts revert all changes */
  apply(from: Address, operation: PermissionOperation): void {
    const rule = this.rules[operation.name] as
      ((operation: PermissionOperation, from: Address) => void) | undefined;
    if (rule === undefined) throw new Error(`no rule for ${operation.name}`);
    rule(operation, from);
  }

  private readonly rules: {
    readonly [Name in PermissionOperation['name']]?: (operation: Named<Name>, from: Address) => void;
  } = {
    addOrg: ({ orgId, node, account }, from) => {
      this.needNetworkAdmin(from);
      this.propose({ orgId, enodeId: this.idOf(node), account, operation: 1 });
      need(this.org(orgId) === undefined, 'org exists');
      this.orgs.push({
        orgId,
        fullOrgId: orgId,
        parentOrgId: '',
        ultimateParent: orgId,
        level: 1,
        status: 1,
      });
      this.addNode(node, orgId, 1);
      const known = this.account(account);
      need(known === undefined || known.orgId === orgId, 'Operation cannot be performed');
      this.assign(account, orgId, POLICY.orgAdminRole, 1, true);
    },
    approveOrg: ({ orgId, node, account }, from) => {
      this.needNetworkAdmin(from);
      const org = this.org(orgId);
      need(org?.status === 1, 'Nothing to approve');
      if (!this.vote(from, 1)) return;
      org.status = 2;
      this.addRole(POLICY.orgAdminRole, orgId, 3, true, true);
      const listed = this.nodes.find(({ enodeId }) => enodeId === this.idOf(node));
      need(listed !== undefined, 'passed enode id does not exist');
      need(listed.orgId === orgId, 'enode id does not belong to the passed org id');
      need(listed.status === 1, 'nothing pending for approval');
      listed.status = 2;
      this.activateAdmin(account, orgId);
    },
    addSubOrg: ({ parentOrgId, orgId, node }, from) => {
      const parent = this.org(parentOrgId);
      need(parent !== undefined, 'org does not exist');
      this.needOrgAdmin(from, parentOrgId);
      const fullOrgId = `${parentOrgId}.${orgId}`;
      need(this.org(fullOrgId) === undefined, 'org exists');
      const children = this.orgs.filter((org) => org.parentOrgId === parentOrgId);
      need(children.length < this.limits.breadth, 'breadth level exceeded');
      need(parent.level < this.limits.depth, 'depth level exceeded');
      const { ultimateParent, level } = parent;
      this.orgs.push({ orgId, fullOrgId, parentOrgId, ultimateParent, level: level + 1, status: 2 });
      if (node.enodeId !== '') this.addNode(node, fullOrgId, 2);
    },
    updateOrgStatus: ({ orgId, action }, from) => {
      this.needNetworkAdmin(from);
      const org = this.org(orgId);
      need(org !== undefined, 'org does not exist');
      need(action === 1 || action === 2, 'invalid action. operation not allowed');
      need(org.level === 1, 'not a master org. operation not allowed');
      need(org.status === 2 * action, 'org status does not allow the operation');
      org.status++;
      this.propose({ orgId, enodeId: '', account: ZERO_ADDRESS, operation: action + 1 });
    },
    approveOrgStatus: ({ orgId, action }, from) => {
      this.needNetworkAdmin(from);
      need(action === 1 || action === 2, 'Operation not allowed');
      const org = this.org(orgId);
      need(org?.status === 2 * action + 1, 'operation not allowed');
      if (this.vote(from, action + 1)) org.status = action === 1 ? 4 : 2;
    },
    addNewRole: ({ roleId, orgId, access, isVoter, isAdmin }, from) => {
      need(this.org(orgId)?.status === 2, 'org not in approved status');
      this.needOrgAdmin(from, orgId);
      need(access < (this.model === 'v1' ? 4 : 8), 'invalid access value');
      this.addRole(roleId, orgId, access, isVoter, isAdmin);
    },
    removeRole: ({ roleId, orgId }, from) => {
      need(this.org(orgId)?.status === 2, 'org not in approved status');
      this.needOrgAdmin(from, orgId);
      need(!isAdminRole(roleId), 'admin roles cannot be removed');
      const role = this.roleIn(roleId, orgId);
      need(role !== undefined, 'role does not exist');
      role.active = false;
    },
    assignAdminRole: ({ orgId, account, roleId }, from) => {
      need(this.org(orgId) !== undefined, 'org does not exist');
      this.needNetworkAdmin(from);
      need(isAdminRole(roleId), 'can be called to assign admin roles only');
      this.assign(account, orgId, roleId, 1, true);
      this.propose({ orgId, enodeId: '', account, operation: 4 });
    },
    approveAdminRole: ({ orgId, account }, from) => {
      this.needNetworkAdmin(from);
      if (!this.vote(from, 4)) return;
      const former = this.account(this.admins.get(orgId));
      if (former?.status === 2) {
        former.status = 6;
        former.isOrgAdmin = false;
        if (former.roleId === POLICY.networkAdminRole) {
          need(this.voters.delete(former.account), 'must be a voter');
        }
      }
      if (this.activateAdmin(account, orgId).roleId !== POLICY.networkAdminRole) return;
      need(!this.voters.has(account), 'already a voter');
      this.voters.add(account);
    },
    assignAccountRole: ({ orgId, account, roleId }, from) => {
      this.needOrgAdmin(from, orgId);
      const org = this.org(orgId);
      need(org?.status === 2, 'org not in approved status');
      const known = this.account(account);
      need(known === undefined || known.orgId === orgId, 'operation cannot be performed');
      const role = this.role(roleId, org);
      need(role?.active === true, 'role does not exists');
      need(!isAdminRole(roleId), 'cannot be called fro assigning org admin and network admin roles');
      this.assign(account, orgId, roleId, 2, role.isAdmin);
    },
    updateAccountStatus: ({ orgId, account, action }, from) => {
      this.needOrgAdmin(from, orgId);
      need(action > 0 && action < 4, 'invalid action. operation not allowed');
      this.changeAccount(account, orgId, action);
    },
    startBlacklistedAccountRecovery: ({ orgId, account }, from) => {
      this.needNetworkAdmin(from);
      this.changeAccount(account, orgId, 4);
      this.propose({ orgId, enodeId: '', account, operation: 6 });
    },
    approveBlacklistedAccountRecovery: ({ orgId, account }, from) => {
      this.needNetworkAdmin(from);
      if (this.vote(from, 6)) this.changeAccount(account, orgId, 5);
    },
    addNode: ({ orgId, node }, from) => {
      need(this.org(orgId)?.status === 2, 'org not in approved status');
      this.needOrgAdmin(from, orgId);
      this.addNode(node, orgId, 2);
    },
    updateNodeStatus: ({ orgId, node, action }, from) => {
      this.needOrgAdmin(from, orgId);
      need(action > 0 && action < 4, 'invalid action. operation not allowed');
      this.changeNode(node, orgId, action);
    },
    startBlacklistedNodeRecovery: ({ orgId, node }, from) => {
      this.needNetworkAdmin(from);
      this.changeNode(node, orgId, 4);
      this.propose({ orgId, enodeId: this.idOf(node), account: ZERO_ADDRESS, operation: 5 });
    },
    approveBlacklistedNodeRecovery: ({ orgId, node }, from) => {
      this.needNetworkAdmin(from);
      if (this.vote(from, 5)) this.changeNode(node, orgId, 5);
    },
  };

  private needNetworkAdmin(from: Address): void {
    need(this.account(from)?.roleId === POLICY.networkAdminRole, 'account is not a network admin account');
  }

  private needOrgAdmin(from: Address, orgId: string): void {
    const org = this.org(orgId);
    need(org !== undefined, 'org does not exist');
    const account = this.account(from);
    const role = account && this.role(account.roleId, org);
    const isAdmin = account !== undefined && this.isAdminOf(account, [orgId, org.ultimateParent]);
    need(isAdmin || (role?.active === true && role.isAdmin), 'account is not a org admin account');
  }

  private isAdminOf({ account, roleId, orgId }: AccountEntry, orgIds: readonly string[]): boolean {
    if (roleId === POLICY.networkAdminRole) return orgIds.includes(orgId);
    return orgIds.some((id) => this.admins.get(id) === account);
  }

  private propose(item: Records['pending']): void {
    need(this.pending.operation === 0, 'items pending for approval. new item cannot be added');
    this.pending = item;
    this.votes = new Set();
  }

  private vote(from: Address, operation: number): boolean {
    need(this.voters.has(from), 'must be a voter');
    need(this.pending.operation === operation, 'nothing to approve');
    need(!this.votes.has(from), 'cannot double vote');
    this.votes.add(from);
    if (2 * this.votes.size <= this.voters.size) return false;
    this.pending = NOTHING;
    return true;
  }

  private changeAccount(address: Address, orgId: string, action: number): void {
    const account = this.account(address);
    need(account !== undefined, 'account does not exists');
    need(account.orgId === orgId, 'account in different org');
    need(!this.isAdminOf(account, [orgId]), 'status change not possible for org admin accounts');
    const [isAllowed, status, text] = ACCOUNT_ACTIONS[action - 1] as (typeof ACCOUNT_ACTIONS)[number];
    need(isAllowed(account.status), `${text}. operation cannot be done`);
    account.status = status;
  }

  private changeNode(node: PermissionNode, orgId: string, action: number): void {
    const listed = this.nodes.find(({ enodeId }) => enodeId === this.idOf(node));
    need(listed !== undefined, 'passed enode id does not exist');
    need(listed.orgId === orgId, 'enode id does not belong to the passed org');
    const [needed, status] = NODE_ACTIONS[action - 1] as (typeof NODE_ACTIONS)[number];
    need(needed === undefined || listed.status === needed, 'operation cannot be performed');
    listed.status = status;
  }

  private activateAdmin(address: Address, orgId: string): AccountEntry {
    const account = this.account(address);
    need(account !== undefined, 'account does not exists');
    if (account.roleId === POLICY.orgAdminRole && account.status === 1) this.admins.set(orgId, address);
    account.status = 2;
    account.isOrgAdmin = true;
    return account;
  }

  private assign(address: Address, orgId: string, roleId: string, status: number, isOrgAdmin: boolean): void {
    const account = this.account(address);
    if (account === undefined) this.accounts.push({ account: address, orgId, roleId, status, isOrgAdmin });
    else Object.assign(account, { roleId, status, isOrgAdmin });
  }

  private addRole(roleId: string, orgId: string, access: number, isVoter: boolean, isAdmin: boolean): void {
    need(this.roleIn(roleId, orgId) === undefined, 'role exists for the org');
    this.roles.push({ roleId, orgId, access, isVoter, isAdmin, active: true });
  }

  private addNode(node: PermissionNode, orgId: string, status: number): void {
    const enodeId = this.idOf(node);
    need(!this.nodes.some((one) => one.enodeId === enodeId), 'passed enode id exists');
    const { ip, port, raftPort } = node;
    const place = this.model === 'v1' ? { ip: '', port: 0, raftPort: 0 } : { ip, port, raftPort };
    this.nodes.push({ orgId, enodeId, ...place, status });
  }

  private idOf = ({ url, enodeId }: PermissionNode) => (this.model === 'v1' ? url : enodeId);
  private org = (fullOrgId: string) => this.orgs.find((org) => org.fullOrgId === fullOrgId);
  private account = (address: Address | undefined) =>
    this.accounts.find(({ account }) => account === address);
  private roleIn = (roleId: string, orgId: string) =>
    this.roles.find((role) => role.roleId === roleId && role.orgId === orgId);
  private role = (roleId: string, { fullOrgId, ultimateParent }: OrgEntry) =>
    this.roleIn(roleId, fullOrgId) ?? this.roleIn(roleId, ultimateParent);
}

const NOTHING: Records['pending'] = { orgId: '', enodeId: '', account: ZERO_ADDRESS, operation: 0 };

/** By action from 1: the statuses that allow it, the status after it, and the text of the rejection otherwise. */
const ACCOUNT_ACTIONS: readonly (readonly [(status: number) => boolean, number, string])[] = [
  [(status) => status === 2, 4, 'account is not in active status'],
  [(status) => status === 4, 2, 'account is not in suspended status'],
  [(status) => status !== 5, 5, 'account is already blacklisted'],
  [(status) => status === 5, 7, 'account is not blacklisted'],
  [(status) => status === 7, 2, 'account recovery not initiated'],
];

/** By action from 1: the status that it needs, if it needs one, and the one after it. */
const NODE_ACTIONS: readonly (readonly [number | undefined, number])[] = [
  [2, 3],
  [3, 2],
  [undefined, 4],
  [4, 5],
  [5, 2],
];

const isAdminRole = (roleId: string) => roleId === POLICY.orgAdminRole || roleId === POLICY.networkAdminRole;
