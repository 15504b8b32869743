import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PermissionModel, PermissionOperation } from '@tetrad/node-permission-contracts';
import { developmentAccounts, type DevelopmentAccount } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import {
  accountOf,
  nodeOf,
} from '../../../../libs/node/permissions/permission-contracts/test/permission-chain.js';
import { PermissionedLedger, contentOf } from '../permissioned-ledger.js';
import { NETWORK, VALIDATOR_KEY, genesis } from '../permissioned-network.js';

const account = (index: number) => developmentAccounts(8, 'permissioned')[index] as DevelopmentAccount;
/** Network admins, of whose votes two decide. */
const [ALICE, BERTA, CARLA] = [account(1), account(2), account(3)];
/** An account that transacts. */
const MEMBER = account(4);

type Act = readonly [admin: DevelopmentAccount, operation: PermissionOperation];
type Records = PermissionedLedger['records'];

/** Two acts of different admins in one block. */
interface Conflict {
  readonly name: string;
  /** Acts before, all of which succeed. */
  readonly before?: readonly Act[];
  readonly acts: readonly [Act, Act];
  readonly outcome: (records: Records) => unknown;
  /** In the order above, then in the other one: which of the block's two succeed, and the outcome. */
  readonly expected: readonly [Result, Result];
  /** Resolves what is pending, so that the next conflict can begin. */
  readonly after?: readonly Act[];
}
type Result = readonly [succeed: readonly [boolean, boolean], outcome: unknown];

const org = (orgId: string, number: number) => ({ orgId, node: nodeOf(number), account: accountOf(number) });
const vote = (orgId: string, number: number): PermissionOperation => ({
  name: 'approveOrg',
  ...org(orgId, number),
});
const role = (roleId: string, access = 1): PermissionOperation => ({
  name: 'addNewRole',
  orgId: NETWORK,
  roleId,
  access,
  isVoter: false,
  isAdmin: false,
});
const assign = (who: Address, roleId: string): PermissionOperation => ({
  name: 'assignAccountRole',
  orgId: NETWORK,
  account: who,
  roleId,
});
const status = (who: Address, action: number): PermissionOperation => ({
  name: 'updateAccountStatus',
  orgId: NETWORK,
  account: who,
  action,
});
const CLERK = accountOf(20);

const CONFLICTS: readonly Conflict[] = [
  {
    name: 'proposals of one organization with different admins',
    acts: [
      [ALICE, { name: 'addOrg', ...org('BANK', 10) }],
      [BERTA, { name: 'addOrg', ...org('BANK', 11) }],
    ],
    outcome: (records) => records.detailsOf('BANK')?.acctList?.map(({ acctId }) => acctId),
    expected: [
      [[true, false], [accountOf(10)]],
      [[true, false], [accountOf(11)]],
    ],
    // One of the two pairs is a vote for what is pending.
    after: [ALICE, BERTA].flatMap((by): Act[] => [
      [by, vote('BANK', 10)],
      [by, vote('BANK', 11)],
    ]),
  },
  {
    name: 'votes that each complete the pending item',
    before: [
      [ALICE, { name: 'addOrg', ...org('CLUB', 12) }],
      [ALICE, vote('CLUB', 12)],
    ],
    acts: [
      [BERTA, vote('CLUB', 12)],
      [CARLA, vote('CLUB', 12)],
    ],
    outcome: (records) => [records.org('CLUB')?.status, records.detailsOf('CLUB')?.roleList?.length],
    expected: [
      [
        [true, false],
        [2, 1],
      ],
      [
        [true, false],
        [2, 1],
      ],
    ],
  },
  {
    name: 'a vote that completes an item, and the proposal of the next',
    before: [
      [ALICE, { name: 'updateOrgStatus', orgId: 'CLUB', action: 1 }],
      [ALICE, { name: 'approveOrgStatus', orgId: 'CLUB', action: 1 }],
    ],
    acts: [
      [BERTA, { name: 'approveOrgStatus', orgId: 'CLUB', action: 1 }],
      [CARLA, { name: 'updateOrgStatus', orgId: 'CLUB', action: 2 }],
    ],
    outcome: (records) => records.org('CLUB')?.status,
    expected: [
      [[true, true], 5],
      [[false, true], 4],
    ],
    after: [ALICE, BERTA].map((by): Act => [by, { name: 'approveOrgStatus', orgId: 'CLUB', action: 2 }]),
  },
  {
    name: 'roles of one account',
    before: [
      [ALICE, role('R')],
      [ALICE, role('S')],
    ],
    acts: [
      [ALICE, assign(CLERK, 'R')],
      [BERTA, assign(CLERK, 'S')],
    ],
    outcome: (records) => records.account(CLERK)?.roleId,
    expected: [
      [[true, true], 'S'],
      [[true, true], 'R'],
    ],
  },
  {
    name: 'a role that is removed, and its assignment',
    before: [[ALICE, role('T')]],
    acts: [
      [ALICE, { name: 'removeRole', orgId: NETWORK, roleId: 'T' }],
      [BERTA, assign(accountOf(21), 'T')],
    ],
    outcome: (records) => [records.account(accountOf(21))?.roleId, records.role(NETWORK, 'T')?.active],
    expected: [
      [
        [true, false],
        [undefined, false],
      ],
      [
        [true, true],
        ['T', false],
      ],
    ],
  },
  {
    name: 'one role with two accesses',
    acts: [
      [ALICE, role('U', 1)],
      [BERTA, role('U', 2)],
    ],
    outcome: (records) => records.role(NETWORK, 'U')?.access,
    expected: [
      [[true, false], 1],
      [[true, false], 2],
    ],
  },
  {
    name: 'a suspension of an account and its end',
    acts: [
      [ALICE, status(CLERK, 1)],
      [BERTA, status(CLERK, 2)],
    ],
    outcome: (records) => records.account(CLERK)?.status,
    expected: [
      [[true, true], 2],
      [[false, true], 4],
    ],
  },
  {
    name: 'a node that is deactivated, and denylisted',
    before: [[ALICE, { name: 'addNode', orgId: NETWORK, node: nodeOf(30) }]],
    acts: [
      [ALICE, { name: 'updateNodeStatus', orgId: NETWORK, node: nodeOf(30), action: 1 }],
      [BERTA, { name: 'updateNodeStatus', orgId: NETWORK, node: nodeOf(30), action: 3 }],
    ],
    outcome: (records) => records.nodesNamed(nodeOf(30).enodeId).map((node) => node.status),
    expected: [
      [[true, true], [4]],
      [[true, false], [4]],
    ],
  },
];

const ORDERS = ['forth', 'back'] as const;
const CHAINS = (['v1', 'v2'] as const).flatMap((model) => ORDERS.map((order) => ({ model, order })));

describe.each(CHAINS)('two admins in one block, $order ($model)', ({ model, order }) => {
  let ledger: PermissionedLedger;
  beforeAll(async () => {
    ledger = await open(model);
  });
  afterAll(() => ledger?.close());
  const ordered = <T>(pair: readonly [T, T]) => (order === 'forth' ? pair : ([pair[1], pair[0]] as const));
  const append = (acts: readonly Act[]) => ledger.append(acts.map((act) => ledger.operation(...act)));

  it.each(CONFLICTS)('$name', async ({ before = [], acts, outcome, expected, after = [] }) => {
    expect(await append(before)).toEqual(before.map(() => true));
    // Proposed and checked: both execute the block, and the import compares their states.
    const [succeeded, found] = expected[ORDERS.indexOf(order)] as Result;
    expect(await append(ordered(acts))).toEqual(succeeded);
    expect(outcome(ledger.records)).toEqual(found);
    await append(after);
  });

  it('lets a transaction of an account into the block that suspends it, and into none after', async () => {
    const { address } = MEMBER;
    await append([[ALICE, role('MEMBER')]]);
    await append([[ALICE, assign(address, 'MEMBER')]]);
    const suspension = ledger.operation(BERTA, status(address, 1));
    const transfer = ledger.sign(MEMBER, { to: ALICE.address, gas: 21_000n });
    expect(await ledger.append(ordered([suspension, transfer]))).toEqual([true, true]);
    const later = ledger.propose([ledger.sign(MEMBER, { to: ALICE.address, gas: 21_000n })]);
    // Under the first model pools alone refuse it, as in GoQuorum.
    if (model === 'v1') await expect(later).resolves.toBeDefined();
    else await expect(later).rejects.toThrow('account does not have permission for the transaction');
  });

  it('leaves the records of a node that follows the blocks as they are on one that starts after them', async () => {
    expect(contentOf(ledger.records)).toEqual(contentOf(await ledger.recordsAtStart()));
  });
});

async function open(model: PermissionModel): Promise<PermissionedLedger> {
  const admins = [ALICE, BERTA, CARLA].map(({ address }) => address);
  const setup = { model, genesis: genesis(), keys: [VALIDATOR_KEY], enforces: model === 'v2' };
  const ledger = await PermissionedLedger.open(setup, admins);
  await ledger.setUp([nodeOf(1)]);
  return ledger;
}
