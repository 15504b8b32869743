import { describe, expect, it } from '@jest/globals';
import {
  permissionViews,
  type PermissionEvent as ContractEvent,
  type PermissionModel,
} from '@tetrad/node-permission-contracts';
import { RequestError, type Address } from '@tetrad/types';
import fc from 'fast-check';
import {
  POLICY as NAMES,
  PermissionChain,
  accountOf,
} from '../../permission-contracts/test/permission-chain.js';
import { nodeUrlOf } from '../src/records/node-url.js';
import {
  approveAccountRecovery,
  approveAdminRole,
  assignAdminRole,
  assignRole,
  recoverAccount,
  updateAccountStatus,
} from '../src/operations/account-actions.js';
import { checkAction, type PermissionAction } from '../src/operations/action.js';
import { contractNode } from '../src/operations/enode-url.js';
import {
  addNode,
  approveNodeRecovery,
  recoverNode,
  updateNodeStatus,
} from '../src/operations/node-actions.js';
import {
  addOrg,
  addSubOrg,
  approveOrg,
  approveOrgStatus,
  updateOrgStatus,
} from '../src/operations/org-actions.js';
import { addRole, removeRole } from '../src/operations/role-actions.js';
import type { NodeEventName, PermissionEvent } from '../src/records/events.js';
import type { PendingItem } from '../src/records/pending-item.js';
import { PermissionRecords } from '../src/records/permission-records.js';
import { DEACTIVATED_NODE, NEW_NODE, NODE } from './bank-network.js';

const ADMINS = [accountOf(1), accountOf(2)];
const MEMBERS = [accountOf(3), accountOf(4), accountOf(5)];
const PEOPLE = [...ADMINS, ...MEMBERS];
const LIMITS = { breadth: 2, depth: 3 };
const POLICY = { ...NAMES, subOrgBreadth: LIMITS.breadth, subOrgDepth: LIMITS.depth };
const RUNS = 6;

interface Values {
  readonly caller: Address;
  readonly orgId: string;
  readonly subId: string;
  readonly roleId: string;
  readonly account: Address;
  readonly url: string;
  readonly action: number;
  readonly access: number;
}

const values: fc.Arbitrary<Values> = fc.record({
  caller: fc.constantFrom(...PEOPLE),
  orgId: fc.constantFrom(NAMES.networkAdminOrg, 'ABC', 'ABC.X', `${NAMES.networkAdminOrg}.X`),
  subId: fc.constantFrom('ABC', 'X', 'Y', 'Z'),
  roleId: fc.constantFrom('R', 'S', NAMES.networkAdminRole, NAMES.orgAdminRole),
  account: fc.constantFrom(...PEOPLE),
  url: fc.constantFrom(NODE, DEACTIVATED_NODE, NEW_NODE),
  action: fc.integer({ min: 1, max: 3 }),
  access: fc.integer({ min: 0, max: 8 }),
});

const flags = { isVoter: false, isAdmin: false };
const ACTIONS: readonly ((caller: Address, request: Values) => PermissionAction)[] = [
  (caller, { subId, url, account }) => addOrg(caller, { orgId: subId, url, account }),
  (caller, { orgId, subId, url }) => addSubOrg(caller, { parentOrgId: orgId, orgId: subId, url }),
  (caller, { orgId, subId }) => addSubOrg(caller, { parentOrgId: orgId, orgId: subId, url: '' }),
  updateOrgStatus,
  addNode,
  updateNodeStatus,
  recoverNode,
  (caller, { orgId, roleId, access }) => addRole(caller, { orgId, roleId, access, ...flags }),
  (caller, { orgId, roleId }) => removeRole(caller, { orgId, roleId }),
  assignRole,
  assignAdminRole,
  updateAccountStatus,
  recoverAccount,
];

/** A vote that matches the pending item. */
function voteFor(item: PendingItem, caller: Address): PermissionAction | undefined {
  const { orgId, account } = item;
  const url = [NODE, DEACTIVATED_NODE, NEW_NODE].find((one) => one.includes(item.enodeId)) ?? '';
  const byOperation = [
    undefined,
    approveOrg(caller, { orgId, url, account }),
    approveOrgStatus(caller, { orgId, action: 1 }),
    approveOrgStatus(caller, { orgId, action: 2 }),
    approveAdminRole(caller, { orgId, account }),
    approveNodeRecovery(caller, { orgId, url }),
    approveAccountRecovery(caller, { orgId, account }),
  ];
  return byOperation[item.operation];
}

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ values, kind: fc.nat(ACTIONS.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ values, kind: fc.constant(-1) }) },
);

const DONE = 'done';

/** Rejections by the contracts for which the node has no rule. */
const LEFT_TO_CONTRACTS = [
  'items pending for approval. new item cannot be added',
  'must be a voter',
  'cannot double vote',
  'org not in approved status',
  // For the admin of an organization that is not approved yet.
  'account is not a org admin account',
  // A network admin who was given another role stays a voter.
  'already a voter',
];

class Network {
  private constructor(
    private readonly chain: PermissionChain,
    private readonly records: PermissionRecords,
  ) {}

  static async start(chain: PermissionChain): Promise<Network> {
    const records = new PermissionRecords();
    const { orgs, roles, accounts, nodes } = await chain.records();
    orgs.forEach((org) => records.putOrg(org));
    roles.forEach((role) => records.putRole(role));
    accounts.forEach(({ account, ...entry }) => records.putAccount({ ...entry, acctId: account }));
    const { model } = chain;
    for (const node of nodes) records.putNode({ ...node, url: nodeUrlOf(node, { model, isRaft: false }) });
    return new Network(chain, records);
  }

  pendingItem(): Promise<PendingItem> {
    return this.chain.view(permissionViews(this.chain.model).pendingOperation, NAMES.networkAdminOrg);
  }

  /**
   * Sends the action from the first account that the rules allow, starting at `first`.
   * @returns `DONE` or the revert reason of the contracts; undefined when the rules allow no account
   */
  async attempt(
    first: Address,
    ask: (caller: Address) => PermissionAction | undefined,
  ): Promise<string | undefined> {
    const from = PEOPLE.indexOf(first);
    for (const caller of [...PEOPLE.slice(from), ...PEOPLE.slice(0, from)]) {
      const action = ask(caller);
      if (action === undefined || !(await this.isAllowed(action))) continue;
      const operation = action.operation((url) => contractNode(url, this.naming));
      const outcome = await this.chain.operate(caller, operation);
      if ('revert' in outcome) return outcome.revert;
      for (const event of outcome.events) this.follow(event);
      return DONE;
    }
    return undefined;
  }

  private get naming() {
    return { model: this.chain.model, isRaft: false, raftHostNames: false };
  }

  private async isAllowed(action: PermissionAction): Promise<boolean> {
    const { records, naming } = this;
    try {
      await checkAction(action, { records, policy: POLICY, naming, pendingItem: () => this.pendingItem() });
      return true;
    } catch (error) {
      if (error instanceof RequestError) return false;
      throw error;
    }
  }

  private follow(event: ContractEvent): void {
    if (event.name.startsWith('Vot')) return;
    if (!('enodeId' in event)) return this.records.apply(event as PermissionEvent);
    const name = event.name as NodeEventName;
    this.records.apply({
      name,
      orgId: event.orgId,
      url: nodeUrlOf(event, { model: this.chain.model, isRaft: false }),
    });
  }
}

describe.each<PermissionModel>(['v1', 'v2'])('an action that the rules allow, under %s', (model) => {
  it('is not reverted, except for rules that only the contracts check', async () => {
    const enodeId = NEW_NODE.slice(8, 136).replace(/^./, '0');
    const own = { url: `enode://${enodeId}@10.0.0.9:1`, enodeId, ip: '10.0.0.9', port: 1, raftPort: 0 };
    const start = await PermissionChain.boot(model, ADMINS, { ...LIMITS, nodes: [own] });
    const outcomes: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 150, maxLength: 200 }), async (steps) => {
        const network = await Network.start(start.copy());
        for (const { values: request, kind } of steps) {
          const item = await network.pendingItem();
          const ask = (caller: Address) =>
            kind === -1 ? voteFor(item, caller) : ACTIONS[kind]?.(caller, request);
          const outcome = await network.attempt(request.caller, ask);
          if (outcome !== undefined) outcomes.push(outcome);
        }
      }),
      { numRuns: RUNS },
    );
    const [done, reverted] = [outcomes.filter((one) => one === DONE), outcomes.filter((one) => one !== DONE)];
    expect(reverted.filter((text) => !LEFT_TO_CONTRACTS.includes(text))).toEqual([]);
    expect(done.length).toBeGreaterThan(20);
  });
});
