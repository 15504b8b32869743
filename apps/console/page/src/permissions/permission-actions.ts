import type { PermissionCall } from './pending-items.js';

/** What a reader enters for an action. */
export interface ActionField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'account' | 'access' | 'flag' | 'known account' | 'role';
  /** May stay empty. */
  readonly isOptional?: boolean;
}

export type Entered = Readonly<Record<string, string | boolean>>;

/** An action with parameters that a reader enters. */
export interface PermissionAction {
  readonly name: string;
  readonly title: string;
  readonly fields: readonly ActionField[];
  /** @param orgId - full id of the organization of the view */
  readonly paramsOf: (entered: Entered, orgId: string) => PermissionCall['params'];
  /** The change that a node can foresee, by the same parameters. */
  readonly previewedAs?: string;
  /** What it does, as far as no preview says it. */
  readonly effect: string;
}

const account: ActionField = { name: 'account', label: 'Account', kind: 'account' };
const knownAccount: ActionField = { name: 'account', label: 'Account', kind: 'known account' };
const role: ActionField = { name: 'role', label: 'Role', kind: 'role' };
const newRole: ActionField = { name: 'role', label: 'Role', kind: 'text' };
const node: ActionField = { name: 'node', label: 'Enode URL', kind: 'text' };
const text = (value: string | boolean | undefined) => String(value ?? '');

/** Actions of an organization. */
export const ORG_ACTIONS: readonly PermissionAction[] = [
  {
    name: 'addAccountToOrg',
    title: 'Add an account',
    fields: [account, role],
    paramsOf: (entered, orgId) => [text(entered['account']), orgId, text(entered['role'])],
    previewedAs: 'changeAccountRole',
    effect: 'The account belongs to the organization, and stays there.',
  },
  {
    name: 'changeAccountRole',
    title: 'Give an account another role',
    fields: [knownAccount, role],
    paramsOf: (entered, orgId) => [text(entered['account']), orgId, text(entered['role'])],
    previewedAs: 'changeAccountRole',
    effect: 'The account has this role in place of the one before.',
  },
  {
    name: 'assignAdminRole',
    title: 'Propose an admin',
    fields: [account, newRole],
    paramsOf: (entered, orgId) => [orgId, text(entered['account']), text(entered['role'])],
    previewedAs: 'assignAdminRole',
    effect:
      'The network admins vote on it; until then nothing changes. The admin of an organization is replaced.',
  },
  {
    name: 'addNewRole',
    title: 'Add a role',
    fields: [
      newRole,
      { name: 'access', label: 'Access', kind: 'access' },
      { name: 'voter', label: 'Its accounts vote', kind: 'flag' },
      { name: 'admin', label: 'Its accounts are admins', kind: 'flag' },
    ],
    paramsOf: ({ role: id, access, voter, admin }, orgId) => [
      orgId,
      text(id),
      Number(access),
      voter === true,
      admin === true,
    ],
    effect: 'No account has the role before it is given one.',
  },
  {
    name: 'addNode',
    title: 'Add a node',
    fields: [node],
    paramsOf: (entered, orgId) => [orgId, text(entered['node'])],
    effect: 'The node may connect from the next block on.',
  },
  {
    name: 'addSubOrg',
    title: 'Add a sub-organization',
    fields: [
      { name: 'org', label: 'Id, without that of its parent', kind: 'text' },
      { ...node, label: 'Enode URL of its node', isOptional: true },
    ],
    paramsOf: (entered, orgId) => [orgId, text(entered['org']), text(entered['node'])],
    effect: 'The sub-organization exists from the next block on; it has no accounts before some are added.',
  },
];

/** The action of the network. */
export const ADD_ORG: PermissionAction = {
  name: 'addOrg',
  title: 'Propose an organization',
  fields: [
    { name: 'org', label: 'Id of the organization', kind: 'text' },
    { ...node, label: 'Enode URL of its first node' },
    { ...account, label: 'Account of its admin' },
  ],
  paramsOf: ({ org, node: url, account: admin }) => [text(org), text(url), text(admin)],
  effect:
    'The network admins vote on it. Until then nothing else can be proposed, and its node cannot connect.',
};

/** An action on an entry that is there: nothing has to be entered. */
export interface EntryAction {
  readonly label: string;
  readonly title: string;
  readonly call: PermissionCall;
  /** The change that a node can foresee. */
  readonly change?: PermissionCall;
  readonly effect: string;
}

const SUSPEND = 1;
const ACTIVATE = 2;
const DENYLIST = 3;

/** Source: the numbers of `permission-words.ts` */
export function accountActions(orgId: string, id: string, status: number): readonly EntryAction[] {
  const change = (label: string, action: number, effect: string): EntryAction => {
    const call = { name: 'updateAccountStatus', params: [orgId, id, action] };
    return { label, title: `${label} ${id}`, call, change: call, effect };
  };
  if (status === 2)
    return [
      change('Suspend', SUSPEND, 'The account may send nothing until it is activated again.'),
      change(
        'Denylist',
        DENYLIST,
        'The account may send nothing; only a vote of the network admins recovers it.',
      ),
    ];
  if (status === 4) return [change('Activate', ACTIVATE, 'The account may again what its role permits.')];
  if (status !== 5) return [];
  const call = { name: 'recoverBlackListedAccount', params: [orgId, id] };
  const wins = { name: 'updateAccountStatus', params: [orgId, id, ACTIVATE] };
  return [{ label: 'Recover', title: `Recover ${id}`, call, change: wins, effect: VOTED }];
}

export function nodeActions(orgId: string, url: string, status: number): readonly EntryAction[] {
  const change = (label: string, action: number, effect: string): EntryAction => {
    const call = { name: 'updateNodeStatus', params: [orgId, url, action] };
    return { label, title: `${label} the node`, call, change: call, effect };
  };
  if (status === 2)
    return [
      change('Deactivate', SUSPEND, 'The node cannot connect until it is activated again.'),
      change('Denylist', DENYLIST, 'The node cannot connect; only a vote of the network admins recovers it.'),
    ];
  if (status === 3) return [change('Activate', ACTIVATE, 'The node may connect again.')];
  if (status !== 4) return [];
  const call = { name: 'recoverBlackListedNode', params: [orgId, url] };
  const wins = { name: 'updateNodeStatus', params: [orgId, url, ACTIVATE] };
  return [{ label: 'Recover', title: 'Recover the node', call, change: wins, effect: VOTED }];
}

/** Of a master organization. */
export function orgActions(orgId: string, status: number): readonly EntryAction[] {
  const propose = (label: string, title: string, action: number): EntryAction => {
    const call = { name: 'updateOrgStatus', params: [orgId, action] };
    return { label, title, call, change: call, effect: VOTED };
  };
  if (status === 2) return [propose('Suspend', 'Propose to suspend the organization', SUSPEND)];
  if (status === 4) return [propose('Activate', 'Propose to end the suspension', ACTIVATE)];
  return [];
}

/** Of a role that no account has. */
export function roleActions(orgId: string, roleId: string, isActive: boolean): readonly EntryAction[] {
  if (!isActive) return [];
  const call = { name: 'removeRole', params: [orgId, roleId] };
  return [
    {
      label: 'Remove',
      title: 'Remove the role',
      call,
      change: call,
      effect: 'The role is removed for good.',
    },
  ];
}

const VOTED =
  'The network admins vote on it; until more than half have approved nothing changes, and nothing else can be proposed.';
