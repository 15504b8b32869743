import { describe, expect, it } from '@jest/globals';
import { BANK_ADMIN, NEW_NODE, OTHER_ADMIN, STRANGER, TELLER } from '../../../test/bank-network.js';
import { outcomeOf } from '../../../test/outcome-of.js';
import { assignRole } from '../account-actions.js';
import { addNode } from '../node-actions.js';
import { addSubOrg } from '../org-actions.js';
import { addRole } from '../role-actions.js';

/** BANK and those below it have 3 organizations, 5 roles, 4 nodes and 6 accounts. */
const FULL_FOR_BANK = { orgs: 12, roles: 20, nodes: 16, accounts: 24, orgShare: 0.25 };
const ROOM = { orgs: 48, roles: 48, nodes: 48, accounts: 48, orgShare: 0.25 };
const role = { roleId: 'NEW', access: 1, isVoter: false, isAdmin: false };

const ACTIONS = {
  role: addRole(BANK_ADMIN, { orgId: 'BANK.SUB', ...role }),
  node: addNode(BANK_ADMIN, { orgId: 'BANK.SUB', url: NEW_NODE }),
  account: assignRole(BANK_ADMIN, { orgId: 'BANK', account: STRANGER, roleId: 'TELLER' }),
  'sub-organization': addSubOrg(BANK_ADMIN, { parentOrgId: 'BANK', orgId: 'NEW', url: '' }),
  'sub-organization with a node': addSubOrg(BANK_ADMIN, { parentOrgId: 'BANK', orgId: 'NEW', url: NEW_NODE }),
};

describe('an organization that has its share of the records', () => {
  it.each(Object.entries(ACTIONS))('is refused another %s before anything is sent', async (_what, action) => {
    expect(await outcomeOf(action, { capacity: ROOM })).toBe('allowed');
    expect(await outcomeOf(action, { capacity: FULL_FOR_BANK })).toBe('ORG_SHARE_REACHED');
  });

  it('still changes accounts that it has, and leaves room for others', async () => {
    const change = assignRole(BANK_ADMIN, { orgId: 'BANK', account: TELLER, roleId: 'SPARE' });
    const other = addRole(OTHER_ADMIN, { orgId: 'FULL', ...role });
    for (const action of [change, other])
      expect(await outcomeOf(action, { capacity: FULL_FOR_BANK })).toBe('allowed');
  });
});
