import { describe, expect, it } from '@jest/globals';
import type { Org, PermittedAccount, PermittedNode } from '../page/src/api/permission-shapes.js';
import { networkAdmins, enforcementOf, nodeElsewhere } from '../page/src/permissions/network-admins.js';
import { treeOf } from '../page/src/permissions/organization-tree.js';
import { callText, pendingItems } from '../page/src/permissions/pending-items.js';
import { idFromAddress, idInAddress, shownId } from '../page/src/permissions/permission-ids.js';
import { ORG_WORDS, accessInWords, wordOf } from '../page/src/permissions/permission-words.js';
import { pathOfQuestion, questionIn } from '../page/src/permissions/question.js';
import { viewOf } from '../page/src/paths.js';

const ACCOUNT = `0x${'ab'.repeat(20)}`;
const NODE = `enode://${'1f'.repeat(64)}@10.0.0.1:21000?discport=0`;

const org = (fullOrgId: string, more: Partial<Org> = {}): Org => {
  const parts = fullOrgId.split('.');
  return {
    fullOrgId,
    parentOrgId: parts.slice(0, -1).join('.'),
    ultimateParent: parts[0] ?? '',
    level: parts.length,
    subOrgList: null,
    status: 2,
    ...more,
  };
};
const account = (orgId: string, status: number): PermittedAccount => ({
  orgId,
  roleId: 'ADMIN',
  acctId: ACCOUNT,
  isOrgAdmin: true,
  status,
});
const nodeOf = (orgId: string, status: number, url = NODE): PermittedNode => ({ orgId, url, status });

describe('addresses', () => {
  it.each([
    ['/permissions', { kind: 'permissions' }],
    ['/permissions/explain', { kind: 'explain' }],
    ['/permissions/BANK', { kind: 'unknown' }],
  ])('%s', (path, view) => {
    expect(viewOf(path)).toEqual(view);
  });

  it.each(['BANK', '', '..', 'a/b?c&d=e#f', '"\\', '\udcff', '\u202ex', '%41', '<script>'])(
    'hold any id of an organization: %j',
    (id) => {
      const { search, pathname } = new URL(`http://console/permissions?org=${idInAddress(id)}&node=x`);
      expect(pathname).toBe('/permissions');
      expect(idFromAddress(new URLSearchParams(search).get('org'))).toBe(id);
    },
  );

  it('of another form hold none', () => {
    expect(['"', '\\', '\\ud', null].map(idFromAddress)).toEqual(Array(4).fill(undefined));
  });

  it.each([
    { subject: 'account', id: ACCOUNT, action: 'deploy', to: ACCOUNT },
    { subject: 'account', id: ACCOUNT, action: 'transfer', to: undefined },
    { subject: 'node', id: NODE, action: 'connect', to: undefined },
    { subject: 'org', id: 'A.\udcff&', action: undefined, to: undefined },
  ] as const)('hold a question: %j', (question) => {
    expect(questionIn(new URL(`http://console${pathOfQuestion(question)}`).searchParams)).toEqual(question);
  });

  it('hold no question about other things, and no action that others have', () => {
    expect(questionIn(new URLSearchParams('subject=block&id=1'))).toBeUndefined();
    expect(questionIn(new URLSearchParams('subject=org'))).toBeUndefined();
    expect(questionIn(new URLSearchParams('subject=node&id=x&action=deploy&to=0x'))).toEqual({
      subject: 'node',
      id: 'x',
      action: 'connect',
      to: undefined,
    });
  });
});

describe('ids', () => {
  it.each([
    ['BANK.SUB', 'BANK.SUB'],
    [NODE, NODE],
    ['', '""'],
    ['BANK\u200b', '"BANK\\u200b"'],
    ['BANK is approved', '"BANK is approved"'],
    ['x'.repeat(300), `${'x'.repeat(256)}… of 300 characters`],
  ])('%j is shown as %s', (id, shown) => {
    expect(shownId(id)).toBe(shown);
  });
});

describe('the tree of organizations', () => {
  const tree = (orgs: readonly Org[]) =>
    treeOf(orgs).map(({ org: { fullOrgId }, depth }) => `${depth} ${fullOrgId}`);

  it('has each above those below it, in the order in which they were added', () => {
    const orgs = [org('A'), org('B'), org('B.X'), org('A.Y'), org('A.Y.Z'), org('A.W')];
    expect(tree(orgs)).toEqual(['0 A', '1 A.Y', '2 A.Y.Z', '1 A.W', '0 B', '1 B.X']);
  });

  it('has an empty id as a parent, and one whose parent the node left out', () => {
    const below = org('.X', { parentOrgId: '', level: 2 });
    expect(tree([org('', { level: 1 }), below, org('C.D')])).toEqual(['0 ', '1 .X', '0 C.D']);
  });

  it('ends where a node answers a circle', () => {
    const circle = [org('A', { level: 2, parentOrgId: 'B' }), org('B', { level: 2, parentOrgId: 'A' })];
    expect(tree(circle)).toEqual(['0 A', '1 B']);
  });

  it('is as deep and as broad as records may be', () => {
    const chain = Array.from({ length: 10_000 }, (_, level) =>
      org(`${level}`, { level: level + 1, parentOrgId: `${level - 1}` }),
    );
    const flat = Array.from({ length: 10_000 }, (_, index) => org(`M${index}`));
    expect(treeOf([...chain, ...flat])).toHaveLength(20_000);
  });
});

describe('what waits for votes', () => {
  const items = (...[orgs, nodes = [], accounts = []]: [Org[], PermittedNode[]?, PermittedAccount[]?]) =>
    pendingItems({ orgs, nodes, accounts }).map(({ approval }) => callText(approval));

  it('is nothing where every entry is settled', () => {
    expect(items([org('A'), org('B', { status: 4 })], [nodeOf('A', 2)], [account('A', 2)])).toEqual([]);
  });

  it('is a proposed organization with its node and its admin as one item', () => {
    expect(items([org('A', { status: 1 })], [nodeOf('A', 1)], [account('A', 1)])).toEqual([
      `chainPermission_approveOrg("A", "${NODE}", "${ACCOUNT}")`,
    ]);
  });

  it.each([
    [3, 'chainPermission_approveOrgStatus("A", 1)'],
    [5, 'chainPermission_approveOrgStatus("A", 2)'],
  ])('is the status %i of an organization', (status, call) => {
    expect(items([org('A', { status })])).toEqual([call]);
  });

  it.each([
    [1, `chainPermission_approveAdminRole("A\\u200b", "${ACCOUNT}")`],
    [7, `chainPermission_approveBlackListedAccountRecovery("A\\u200b", "${ACCOUNT}")`],
  ])('is the status %i of an account', (status, call) => {
    expect(items([org('A\u200b')], [], [account('A\u200b', status)])).toEqual([call]);
  });

  it('is the recovery of a node', () => {
    expect(items([org('A')], [nodeOf('A', 5)])).toEqual([
      `chainPermission_approveBlackListedNodeRecovery("A", "${NODE}")`,
    ]);
  });
});

describe('network admins and their contracts', () => {
  it('are the active accounts of the first role that votes', () => {
    const role = { orgId: 'A', access: 3, active: true };
    const roleList = [
      { ...role, roleId: 'CLERK', isVoter: false, isAdmin: false },
      { ...role, roleId: 'ADMIN', isVoter: true, isAdmin: true },
      { ...role, roleId: 'FALSE', isVoter: true, isAdmin: true },
    ];
    const acctList = [account('A', 2), account('A', 1), { ...account('A', 2), roleId: 'FALSE' }];
    const found = networkAdmins('A', { roleList, acctList, nodeList: [] });
    expect(found).toEqual({ orgId: 'A', roleId: 'ADMIN', accounts: [account('A', 2)] });
  });

  it('are asked about with an approved node at an address that it has not got', () => {
    const elsewhere = (host: string) => `enode://${'1f'.repeat(64)}@${host}:21000?discport=0`;
    expect(nodeElsewhere([nodeOf('A', 3), nodeOf('A', 2)])).toBe(elsewhere('192.0.2.1'));
    expect(nodeElsewhere([nodeOf('A', 2, elsewhere('192.0.2.1'))])).toBe(elsewhere('192.0.2.2'));
    expect(nodeElsewhere([nodeOf('A', 4), nodeOf('A', 2, 'any text')])).toBeUndefined();
  });

  it.each([
    ['NODE_LISTED', { isInForce: false }],
    ['CONTRACTS_DIFFER', {}],
    [undefined, {}],
  ])('are not known by the rule %s', (rule, rest) => {
    expect(enforcementOf(rule)).toEqual({ model: undefined, isInForce: undefined, ...rest });
  });

  it.each([
    [1, 'v1', 'transfers and calls (1)'],
    [1, 'v2', 'transfers (1)'],
    [7, 'v2', 'calls and deployment (7)'],
    [7, 'v1', 'access 7'],
    [3, undefined, 'access 3'],
  ] as const)('have the access %i of the model %s in words', (access, model, words) => {
    expect(accessInWords(access, model)).toBe(words);
  });

  it('may have a status that is not defined', () => {
    expect(wordOf(ORG_WORDS, 99)).toEqual({ word: 'status 99', kind: 'bad' });
  });
});
