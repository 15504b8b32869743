import { expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import fc from 'fast-check';
import type { PermissionEvent } from './events.js';
import { PermissionRecords } from './permission-records.js';

const PATHS = ['A', 'B', 'A.X', 'A.Y', 'A.X.Z', 'B.X'];
const ROLES = ['R', 'S'];
const ACCOUNTS = [1, 2, 3].map((number) => parseAddress(`0x${`0${number}`.repeat(20)}`));
const URLS = [1, 2, 3].map(
  (number) => `enode://${`0${number}`.repeat(64)}@10.0.0.${number}:21000?discport=0`,
);

const path = fc.constantFrom(...PATHS);
const org = path.map((full) => {
  const parts = full.split('.');
  return {
    orgId: parts.at(-1) ?? '',
    parentOrgId: parts.slice(0, -1).join('.'),
    ultimateParent: parts[0] ?? '',
    level: parts.length,
  };
});
const role = { orgId: path, roleId: fc.constantFrom(...ROLES) };
const account = fc.constantFrom(...ACCOUNTS);

const event: fc.Arbitrary<PermissionEvent> = fc.oneof(
  fc.tuple(org, fc.constantFrom(1, 3, 5)).map(([parts, status]) => ({
    name: 'OrgPendingApproval' as const,
    ...parts,
    status,
  })),
  fc
    .tuple(fc.constantFrom('OrgApproved', 'OrgSuspended', 'OrgSuspensionRevoked'), org)
    .map(([name, parts]) => ({ name, ...parts })),
  fc.record({
    name: fc.constant('RoleCreated' as const),
    ...role,
    access: fc.nat(7),
    isVoter: fc.boolean(),
    isAdmin: fc.boolean(),
  }),
  fc.record({ name: fc.constant('RoleRevoked' as const), ...role }),
  fc.record({
    name: fc.constant('AccountAccessModified' as const),
    account,
    ...role,
    isOrgAdmin: fc.boolean(),
    status: fc.constantFrom(1, 2),
  }),
  fc.record({ name: fc.constant('AccountStatusChanged' as const), account, orgId: path, status: fc.nat(7) }),
  fc.record({
    name: fc.constantFrom('NodeProposed', 'NodeApproved', 'NodeDeactivated', 'NodeBlacklisted'),
    orgId: path,
    url: fc.constantFrom(...URLS),
  }),
);
const events = fc.array(event, { maxLength: 60 });

function recordsAfter(happened: readonly PermissionEvent[]): PermissionRecords {
  const records = new PermissionRecords();
  happened.forEach((one) => records.apply(one));
  return records;
}

function listsOf(records: PermissionRecords) {
  return [records.orgs(), records.roles(), records.nodes(), records.accounts()];
}

it('is the same when each event comes twice in a row', () => {
  fc.assert(
    fc.property(events, (happened) => {
      const twice = recordsAfter(happened.flatMap((one) => [one, one]));
      expect(listsOf(twice)).toEqual(listsOf(recordsAfter(happened)));
    }),
  );
});

it('is the same when it is filled from its own lists', () => {
  fc.assert(
    fc.property(events, (happened) => {
      const [first, second] = [recordsAfter(happened), new PermissionRecords()];
      first.orgs().forEach((entry) => second.putOrg(entry));
      first.roles().forEach((entry) => second.putRole(entry));
      first.nodes().forEach((entry) => second.putNode(entry));
      first.accounts().forEach((entry) => second.putAccount(entry));
      expect(second.roles()).toEqual(first.roles());
      expect(second.nodes()).toEqual(first.nodes());
      expect(second.accounts()).toEqual(first.accounts());
      expect(second.orgs().map((entry) => ({ ...entry, subOrgList: null }))).toEqual(
        first.orgs().map((entry) => ({ ...entry, subOrgList: null })),
      );
    }),
  );
});

it('lists entries in the order in which they were first added', () => {
  fc.assert(
    fc.property(events, fc.nat(60), (happened, cut) => {
      const earlier = recordsAfter(happened.slice(0, cut));
      const later = recordsAfter(happened);
      const ids = (records: PermissionRecords) => ({
        orgs: records.orgs().map(({ fullOrgId }) => fullOrgId),
        accounts: records.accounts().map(({ acctId }) => acctId),
        nodes: records.nodes().map(({ orgId, url }) => `${orgId} ${url}`),
        roles: records.roles().map(({ orgId, roleId }) => `${orgId} ${roleId}`),
      });
      const [before, after] = [ids(earlier), ids(later)];
      for (const kind of ['orgs', 'accounts', 'nodes', 'roles'] as const) {
        expect(after[kind].slice(0, before[kind].length)).toEqual(before[kind]);
      }
    }),
  );
});

it('lists under each organization the children that were added after it, once each', () => {
  fc.assert(
    fc.property(events, (happened) => {
      const orgs = recordsAfter(happened).orgs();
      orgs.forEach((parent, index) => {
        const children = orgs
          .slice(index)
          .filter(({ parentOrgId }) => parentOrgId === parent.fullOrgId)
          .map(({ fullOrgId }) => fullOrgId);
        expect(parent.subOrgList ?? []).toEqual(children);
      });
    }),
  );
});

it('keeps no more entries than its capacity, the first ones', () => {
  fc.assert(
    fc.property(events, fc.nat(3), (happened, capacity) => {
      const bounded = new PermissionRecords({
        orgs: capacity,
        roles: capacity,
        nodes: capacity,
        accounts: capacity,
      });
      happened.forEach((one) => bounded.apply(one));
      const all = recordsAfter(happened);
      expect(bounded.accounts()).toEqual(all.accounts().slice(0, capacity));
      expect(bounded.roles()).toEqual(all.roles().slice(0, capacity));
      expect(bounded.nodes()).toEqual(all.nodes().slice(0, capacity));
      expect(bounded.orgs().map(({ fullOrgId }) => fullOrgId)).toEqual(
        all
          .orgs()
          .slice(0, capacity)
          .map(({ fullOrgId }) => fullOrgId),
      );
    }),
  );
});
