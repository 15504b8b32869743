import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import type { PermissionEvent } from './events.js';
import { MAX_RECORD_TEXT, PermissionRecords } from './permission-records.js';

const ALICE = parseAddress(`0x${'a1'.repeat(20)}`);
const BOB = parseAddress(`0x${'b0'.repeat(20)}`);
const NODE_ID = 'AB'.repeat(64);
const URL = `enode://${NODE_ID}@10.0.0.1:21000?discport=0`;

const approved = (orgId: string, parentOrgId = ''): PermissionEvent => ({
  name: 'OrgApproved',
  orgId,
  parentOrgId,
  ultimateParent: parentOrgId.split('.')[0] || orgId,
  level: parentOrgId === '' ? 1 : parentOrgId.split('.').length + 1,
});

function recordsAfter(...events: readonly PermissionEvent[]): PermissionRecords {
  const records = new PermissionRecords();
  events.forEach((event) => records.apply(event));
  return records;
}

describe('organizations', () => {
  it('are proposed, approved, suspended and active again, with their sub-organizations throughout', () => {
    const records = recordsAfter(approved('ABC'), approved('SUB', 'ABC'), approved('DEEP', 'ABC.SUB'));
    const org = { orgId: 'ABC', parentOrgId: '', ultimateParent: 'ABC', level: 1 };
    const statuses = (
      [
        { name: 'OrgPendingApproval', ...org, status: 3 },
        { name: 'OrgSuspended', ...org },
        { name: 'OrgPendingApproval', ...org, status: 5 },
        { name: 'OrgSuspensionRevoked', ...org },
      ] as const
    ).map((event) => {
      records.apply(event);
      return records.org('ABC');
    });
    expect(statuses.map((entry) => entry?.status)).toEqual([3, 4, 5, 2]);
    expect(statuses.map((entry) => entry?.subOrgList)).toEqual(Array(4).fill(['ABC.SUB']));
    expect(records.org('ABC.SUB')).toEqual({
      orgId: 'SUB',
      fullOrgId: 'ABC.SUB',
      parentOrgId: 'ABC',
      ultimateParent: 'ABC',
      level: 2,
      subOrgList: ['ABC.SUB.DEEP'],
      status: 2,
    });
    expect(records.org('ABC.SUB.DEEP')?.subOrgList).toBeNull();
  });

  it('have details of their own only, null when empty', () => {
    const records = recordsAfter(
      approved('ABC'),
      approved('SUB', 'ABC'),
      { name: 'RoleCreated', orgId: 'ABC', roleId: 'R', access: 3, isVoter: false, isAdmin: false },
      { name: 'NodeApproved', orgId: 'ABC.SUB', url: URL },
    );
    expect(records.detailsOf('ABC')).toEqual({
      nodeList: null,
      roleList: [{ orgId: 'ABC', roleId: 'R', isVoter: false, isAdmin: false, access: 3, active: true }],
      acctList: null,
      subOrgList: ['ABC.SUB'],
    });
    expect(records.detailsOf('SUB')).toBeUndefined();
  });
});

describe('roles', () => {
  it('stay when they are removed, without being active', () => {
    const role = { orgId: 'ABC', roleId: 'R' };
    const records = recordsAfter(
      { name: 'RoleRevoked', ...role },
      { name: 'RoleCreated', ...role, access: 1, isVoter: true, isAdmin: false },
      { name: 'RoleRevoked', ...role },
    );
    expect(records.roles()).toEqual([{ ...role, access: 1, isVoter: true, isAdmin: false, active: false }]);
  });

  it('are distinguished by organization and role, even if both concatenated are equal', () => {
    const role = { access: 1, isVoter: false, isAdmin: false };
    const records = recordsAfter(
      { name: 'RoleCreated', orgId: 'A', roleId: 'BC', ...role },
      { name: 'RoleCreated', orgId: 'AB', roleId: 'C', ...role },
    );
    expect(records.roles()).toHaveLength(2);
  });
});

describe('accounts', () => {
  it('change status and keep their role; a status for an unknown account is ignored', () => {
    const records = recordsAfter(
      { name: 'AccountStatusChanged', account: BOB, orgId: 'ABC', status: 4 },
      {
        name: 'AccountAccessModified',
        account: ALICE,
        orgId: 'ABC',
        roleId: 'R',
        isOrgAdmin: true,
        status: 2,
      },
      { name: 'AccountStatusChanged', account: ALICE, orgId: 'ABC', status: 5 },
    );
    expect(records.accounts()).toEqual([
      { orgId: 'ABC', roleId: 'R', acctId: ALICE, isOrgAdmin: true, status: 5 },
    ]);
  });
});

describe('an account that is given a role of another organization', () => {
  it('stays in its own, as in the contracts', () => {
    const role = { name: 'AccountAccessModified', account: ALICE, isOrgAdmin: true, status: 1 } as const;
    const records = recordsAfter(
      { ...role, orgId: 'ABC', roleId: 'R' },
      { ...role, orgId: 'XYZ', roleId: 'ORGADMIN' },
    );
    expect(records.accounts()).toMatchObject([{ orgId: 'ABC', roleId: 'ORGADMIN' }]);
  });
});

describe('nodes', () => {
  it.each([
    ['NodeProposed', 1],
    ['NodeApproved', 2],
    ['NodeDeactivated', 3],
    ['NodeActivated', 2],
    ['NodeBlacklisted', 4],
    ['NodeRecoveryInitiated', 5],
    ['NodeRecoveryCompleted', 2],
  ] as const)('have a status after %s: %d', (name, status) => {
    const records = recordsAfter({ name, orgId: 'ABC', url: URL });
    expect(records.nodes()).toEqual([{ orgId: 'ABC', url: URL, status }]);
  });

  it('are found by URL and by node id', () => {
    const records = recordsAfter(
      { name: 'NodeProposed', orgId: 'ABC', url: URL },
      { name: 'NodeApproved', orgId: 'ABC', url: URL },
    );
    const found = [{ orgId: 'ABC', url: URL, status: 2 }];
    expect(records.nodesNamed(URL)).toEqual(found);
    expect(records.nodesNamed(NODE_ID.toLowerCase())).toEqual(found);
    expect(records.nodesNamed('other')).toEqual([]);
  });
});

describe('an entry beyond the capacity', () => {
  it('is left out and counted, while existing entries still change', () => {
    const records = new PermissionRecords({ orgs: 1, roles: 0, nodes: 0, accounts: 0 });
    records.apply(approved('ABC'));
    records.apply(approved('XYZ'));
    records.apply(approved('SUB', 'ABC'));
    records.apply({ name: 'NodeApproved', orgId: 'ABC', url: URL });
    records.apply({
      name: 'OrgSuspended',
      orgId: 'ABC',
      parentOrgId: '',
      ultimateParent: 'ABC',
      level: 1,
    });
    expect(records.orgs().map(({ fullOrgId, status }) => [fullOrgId, status])).toEqual([['ABC', 4]]);
    expect(records.org('ABC')?.subOrgList).toBeNull();
    expect(records.nodesNamed(URL)).toEqual([]);
    expect([records.leftOut, records.crowdedOut]).toEqual([3, 1]);
  });

  it('is also one with an id that is longer than any request could contain', () => {
    const records = recordsAfter(approved('x'.repeat(MAX_RECORD_TEXT + 1)));
    expect(records.orgs()).toEqual([]);
    // By its own fault, for which others' nodes are not less ready.
    expect([records.leftOut, records.crowdedOut]).toEqual([1, 0]);
  });

  it('that was kept is removed by such an id, and makes room', () => {
    const account = parseAddress(`0x${'1'.repeat(40)}`);
    const enrol = (orgId: string, roleId: string, who = account) => ({
      name: 'AccountAccessModified' as const,
      orgId,
      roleId,
      isOrgAdmin: false,
      status: 2,
      account: who,
    });
    const records = new PermissionRecords({ orgs: 1, roles: 0, nodes: 0, accounts: 1 });
    records.apply(enrol('ABC', 'R'));
    records.apply(enrol('ABC', 'x'.repeat(MAX_RECORD_TEXT + 1)));
    expect(records.account(account)).toBeUndefined();
    records.apply(enrol('XYZ', 'R', parseAddress(`0x${'2'.repeat(40)}`)));
    expect(records.accounts()).toHaveLength(1);
  });
});

describe('an organization that fills its share', () => {
  const capacity = { orgs: 8, roles: 8, nodes: 8, accounts: 8, orgShare: 0.25 };
  const enrol = (orgId: string, digit: string) => ({
    name: 'AccountAccessModified' as const,
    orgId,
    roleId: 'R',
    isOrgAdmin: false,
    status: 2,
    account: parseAddress(`0x${digit.repeat(40)}`),
  });

  it('leaves the room of others to them, whatever it adds below itself', () => {
    const records = new PermissionRecords(capacity);
    for (const event of [approved('GREEDY'), approved('SUB', 'GREEDY'), approved('MODEST')])
      records.apply(event);
    // The last of its organizations is left out itself, and counts as the same.
    records.apply(approved('MORE', 'GREEDY'));
    for (const [index, orgId] of ['GREEDY', 'GREEDY.SUB', 'GREEDY.MORE', 'GREEDY'].entries())
      records.apply(enrol(orgId, `${index + 1}`));
    records.apply(enrol('MODEST', 'a'));
    expect(records.orgs().map(({ fullOrgId }) => fullOrgId)).toEqual(['GREEDY', 'GREEDY.SUB', 'MODEST']);
    expect(records.accounts().map(({ orgId }) => orgId)).toEqual(['GREEDY', 'GREEDY.SUB', 'MODEST']);
    const room = (orgId: string) => records.hasRoomFor('accounts', orgId);
    expect([room('GREEDY'), room('GREEDY.SUB'), room('MODEST')]).toEqual([false, false, true]);
    expect([records.leftOut, records.crowdedOut]).toEqual([3, 0]);
  });

  it('still changes what it has', () => {
    const records = new PermissionRecords(capacity);
    for (const event of [approved('GREEDY'), enrol('GREEDY', '1'), enrol('GREEDY', '2')])
      records.apply(event);
    records.apply({ ...enrol('GREEDY', '2'), roleId: 'S' });
    expect(records.accounts().map(({ roleId }) => roleId)).toEqual(['R', 'S']);
    expect(records.leftOut).toBe(0);
  });
});

it('knows whether the network is set up', () => {
  const records = new PermissionRecords();
  expect(records.networkBoot).toBe(false);
  records.apply({ name: 'PermissionsInitialized', networkBoot: true });
  expect(records.networkBoot).toBe(true);
});
