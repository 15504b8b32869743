import { describe, expect, it } from '@jest/globals';
import type { Address } from '@tetrad/types';
import fc from 'fast-check';
import { NO_NODE, type PermissionNode, type PermissionOperation } from '../src/index.js';
import { PermissionChain, accountOf, nodeOf, type Records } from './permission-chain.js';
import { ModelNetwork, Rejection } from './permission-model.js';

const LIMITS = { breadth: 2, depth: 3 };
const ADMINS = [accountOf(1), accountOf(2)];

const ACCOUNTS = [1, 2, 3, 4, 5, 6].map(accountOf);

const account = fc.constantFrom(...ACCOUNTS);
const node = fc.integer({ min: 1, max: 5 }).map(nodeOf);
const master = fc.constantFrom('A', 'B');
const orgId = fc.constantFrom('A', 'A', 'A', 'ADMINORG', 'B', 'A.S', 'A.S.S', 'NONE');
const roleId = fc.constantFrom('R', 'R', 'Q', 'ORGADMIN', 'NWADMIN');
const action = fc.constantFrom(0, 1, 1, 2, 3, 3, 4);
const named = <Name extends PermissionOperation['name']>(...names: readonly Name[]) =>
  fc.constantFrom(...names);

/** State before the steps: an org with an admin, a node, a role and a member. */
const A = { orgId: 'A', node: nodeOf(2), account: accountOf(3) };
const PREPARATIONS: readonly (readonly [Address, PermissionOperation])[] = [
  [accountOf(1), { name: 'addOrg', ...A }],
  [accountOf(1), { name: 'approveOrg', ...A }],
  [accountOf(2), { name: 'approveOrg', ...A }],
  [accountOf(3), { name: 'addNewRole', roleId: 'R', orgId: 'A', access: 1, isVoter: false, isAdmin: false }],
  [accountOf(3), { name: 'assignAccountRole', orgId: 'A', account: accountOf(4), roleId: 'R' }],
];

/** Any operation, whether it is allowed or not. */
const anyOperation: fc.Arbitrary<PermissionOperation> = fc.oneof(
  fc.record({ name: named('addOrg', 'approveOrg'), orgId: master, node, account }),
  fc.record({
    name: named('addSubOrg'),
    parentOrgId: orgId,
    orgId: fc.constantFrom('S', 'T'),
    node: fc.oneof(node, fc.constant<PermissionNode>(NO_NODE)),
  }),
  fc.record({ name: named('updateOrgStatus', 'approveOrgStatus'), orgId, action }),
  fc.record({
    name: named('addNewRole'),
    roleId,
    orgId,
    access: fc.integer({ min: 0, max: 8 }),
    isVoter: fc.boolean(),
    isAdmin: fc.boolean(),
  }),
  fc.record({ name: named('removeRole'), roleId, orgId }),
  fc.record({ name: named('assignAdminRole'), orgId, account, roleId }),
  fc.record({ name: named('assignAccountRole'), orgId, account, roleId }),
  fc.record({ name: named('approveAdminRole'), orgId, account }),
  fc.record({ name: named('startBlacklistedAccountRecovery'), orgId, account }),
  fc.record({ name: named('updateAccountStatus'), orgId, account, action }),
  fc.record({ name: named('addNode'), orgId, node }),
  fc.record({ name: named('startBlacklistedNodeRecovery'), orgId, node }),
  fc.record({ name: named('updateNodeStatus'), orgId, node, action }),
);

/** The approval of what is pending; undefined when nothing is. */
function approvalOf({ pending }: Records): PermissionOperation | undefined {
  const { orgId: of, operation } = pending;
  const listed = [1, 2, 3, 4, 5]
    .map(nodeOf)
    .find(({ url, enodeId }) => [url, enodeId].includes(pending.enodeId));
  const item = { orgId: of, node: listed ?? nodeOf(1), account: pending.account };
  switch (operation) {
    case 1:
      return { name: 'approveOrg', ...item };
    case 2:
    case 3:
      return { name: 'approveOrgStatus', orgId: of, action: operation - 1 };
    case 4:
      return { name: 'approveAdminRole', ...item };
    case 5:
      return { name: 'approveBlacklistedNodeRecovery', ...item };
    case 6:
      return { name: 'approveBlacklistedAccountRecovery', ...item };
    default:
      return undefined;
  }
}

interface Step {
  readonly operations: readonly PermissionOperation[];
  readonly from: Address;
  /** Operation to try: the first one, allowed or not; approval of the pending item; or the least frequent allowed one. */
  readonly aim: 'anything' | 'approval' | 'success';
}

const step: fc.Arbitrary<Step> = fc.record({
  operations: fc.array(anyOperation, { minLength: 20, maxLength: 20 }),
  from: fc.constantFrom(...ADMINS, ...ADMINS, ...ADMINS, accountOf(3), accountOf(4)),
  aim: fc.constantFrom('anything', 'approval', 'success', 'success'),
});

/**
 * @param done - how often each operation has succeeded
 * @returns sender and operation
 */
function chosen(
  model: ModelNetwork,
  { operations, from, aim }: Step,
  done: ReadonlyMap<string, number>,
): [Address, PermissionOperation] {
  const first: [Address, PermissionOperation] = [from, operations[0] as PermissionOperation];
  if (aim === 'approval') {
    const approval = approvalOf(model.records);
    return approval === undefined ? first : [from, approval];
  }
  if (aim === 'anything') return first;
  const rarest = [...operations].sort(
    (one, other) => (done.get(one.name) ?? 0) - (done.get(other.name) ?? 0),
  );
  for (const operation of rarest) {
    const sender = ACCOUNTS.find((one) => after(model, one, operation).rejection === undefined);
    if (sender !== undefined) return [sender, operation];
  }
  return first;
}

interface After {
  readonly model: ModelNetwork;
  /** The text of the rejection; the model is then unchanged. */
  readonly rejection: string | undefined;
}

function after(model: ModelNetwork, from: Address, operation: PermissionOperation): After {
  const next = model.copy();
  try {
    next.apply(from, operation);
    return { model: next, rejection: undefined };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    return { model, rejection: error.message };
  }
}

describe.each(['v1', 'v2'] as const)('the contracts of %s', (version) => {
  it('process any sequence of operations as the tables define', async () => {
    const prepared = await PermissionChain.boot(version, ADMINS, LIMITS);
    const preparedModel = new ModelNetwork(version, ADMINS, LIMITS);
    for (const [from, operation] of PREPARATIONS) {
      await prepared.succeed(from, operation);
      preparedModel.apply(from, operation);
    }
    const done = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 50 }), async (steps) => {
        const network = prepared.copy();
        let model = preparedModel.copy();
        for (const one of steps) {
          const [from, operation] = chosen(model, one, done);
          const expected = after(model, from, operation);
          const outcome = await network.operate(from, operation);
          expect('revert' in outcome ? outcome.revert : undefined).toBe(expected.rejection);
          model = expected.model;
          if (expected.rejection === undefined) {
            done.set(operation.name, (done.get(operation.name) ?? 0) + 1);
            expect(await network.records()).toEqual(model.records);
          }
        }
        expect(await network.records()).toEqual(model.records);
      }),
      { numRuns: 10 },
    );
    // If nearly all of the 17 operations were always refused, the comparison would prove nothing.
    expect(done.size).toBeGreaterThan(12);
  });
});
