import type { PermissionModel, PermissionOperation } from '@tetrad/node-permission-contracts';
import { parseAddress, type Address } from '@tetrad/types';
import fc from 'fast-check';
import { nodeOf } from '../../permission-contracts/test/permission-chain.js';
import { ADMINS } from './contract-chain.js';

/** Accounts without a role at first. */
export const MEMBERS = [4, 5, 6].map((number) => parseAddress(`0x${`0${number}`.repeat(20)}`));

export interface Step {
  readonly from: Address;
  readonly operation: PermissionOperation;
}

const MASTERS = ['ABC', 'XYZ'];
const ORGS = [...MASTERS, 'ADMINORG', 'ABC.SUB', 'ADMINORG.SUB'];
/** The admin of ABC, two network admins, or any account. */
const caller = fc.oneof(
  { weight: 4, arbitrary: fc.constant(MEMBERS[0] as Address) },
  { weight: 2, arbitrary: fc.constantFrom(...ADMINS.slice(0, 2)) },
  fc.constantFrom(...ADMINS, ...MEMBERS),
);
const member = fc.constantFrom(...MEMBERS, ...ADMINS);
const orgId = fc.oneof({ weight: 2, arbitrary: fc.constant('ABC') }, fc.constantFrom(...ORGS));
const master = fc.constantFrom(...MASTERS);
const roleId = fc.constantFrom('R', 'S', 'T', 'U', 'ORGADMIN');
const node = fc.oneof({ weight: 2, arbitrary: fc.constant(2) }, fc.integer({ min: 1, max: 5 })).map(nodeOf);
const action = fc.integer({ min: 1, max: 3 });

const operation: fc.Arbitrary<PermissionOperation> = fc.oneof(
  fc.record({
    name: fc.constantFrom('addOrg' as const, 'approveOrg' as const),
    orgId: master,
    node: fc.constant(nodeOf(2)),
    account: fc.constantFrom(...MEMBERS.slice(0, 1)),
  }),
  fc.record({ name: fc.constant('addSubOrg' as const), parentOrgId: orgId, orgId: fc.constant('SUB'), node }),
  fc.record({
    name: fc.constantFrom('updateOrgStatus' as const, 'approveOrgStatus' as const),
    orgId: master,
    action,
  }),
  fc.record({
    name: fc.constant('addNewRole' as const),
    roleId,
    orgId,
    access: fc.integer({ min: 0, max: 7 }),
    isVoter: fc.boolean(),
    isAdmin: fc.boolean(),
  }),
  fc.record({ name: fc.constant('removeRole' as const), roleId, orgId }),
  fc.record({
    name: fc.constantFrom('assignAdminRole' as const, 'assignAccountRole' as const),
    orgId,
    account: member,
    roleId,
  }),
  fc.record({
    name: fc.constantFrom(
      'approveAdminRole',
      'startBlacklistedAccountRecovery',
      'approveBlacklistedAccountRecovery' as const,
    ),
    orgId,
    account: member,
  }),
  fc.record({ name: fc.constant('updateAccountStatus' as const), orgId, account: member, action }),
  fc.record({
    name: fc.constantFrom(
      'addNode',
      'startBlacklistedNodeRecovery',
      'approveBlacklistedNodeRecovery' as const,
    ),
    orgId,
    node,
  }),
  fc.record({ name: fc.constant('updateNodeStatus' as const), orgId, node, action }),
);

/** Two admins of three are a majority, so that many of their proposals are approved. */
export const step: fc.Arbitrary<Step> = fc.record({ from: caller, operation });

/** Steps through every kind of status, from which random steps continue. */
export const prelude = (model: PermissionModel): readonly Step[] => [
  ...both({ name: 'addOrg', orgId: 'ABC', node: nodeOf(2), account: MEMBERS[0] as Address }, 'approveOrg'),
  by(3, { name: 'addSubOrg', parentOrgId: 'ABC', orgId: 'SUB', node: nodeOf(3) }),
  by(3, role('ABC', 'R', 1)),
  by(3, role('ABC', 'S', model === 'v1' ? 2 : 5)),
  by(3, { name: 'assignAccountRole', orgId: 'ABC', account: MEMBERS[1] as Address, roleId: 'R' }),
  by(3, { name: 'assignAccountRole', orgId: 'ABC', account: MEMBERS[2] as Address, roleId: 'S' }),
];

function by(index: number, operation: PermissionOperation): Step {
  return { from: [...ADMINS, ...MEMBERS][index] as Address, operation };
}

function role(orgId: string, roleId: string, access: number): PermissionOperation {
  return { name: 'addNewRole', roleId, orgId, access, isVoter: false, isAdmin: false };
}

/** Proposed by one network admin, approved by two. */
function both(
  operation: PermissionOperation & { readonly name: 'addOrg' },
  approval: 'approveOrg',
): readonly Step[] {
  return [by(0, operation), by(0, { ...operation, name: approval }), by(1, { ...operation, name: approval })];
}
