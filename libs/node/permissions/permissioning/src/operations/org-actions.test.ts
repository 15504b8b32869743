import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS } from '@tetrad/types';
import {
  ADMIN,
  BANK_ADMIN,
  MOVED_NODE,
  NAMED_NODE,
  NEW_NODE,
  NODE,
  OTHER_ADMIN,
  STRANGER,
  SUB_ADMIN,
  TELLER,
  pendingItem,
} from '../../test/bank-network.js';
import { outcomeOf } from '../../test/outcome-of.js';
import { addOrg, addSubOrg, approveOrg, approveOrgStatus, updateOrgStatus } from './org-actions.js';

const SHOP = { orgId: 'SHOP', url: NEW_NODE, account: STRANGER };
const busy = pendingItem('v2', { operation: 4, orgId: 'BANK', account: TELLER });

describe('a new organization', () => {
  // Each request breaks all rules from its own on that one request can break.
  it.each([
    ['', 'nonsense', ZERO_ADDRESS, STRANGER, 'INVALID_INPUT'],
    ['SHOP', '', STRANGER, STRANGER, 'INVALID_INPUT'],
    ['SHOP', NEW_NODE, ZERO_ADDRESS, STRANGER, 'INVALID_INPUT'],
    ['BANK.SUB', 'nonsense', TELLER, STRANGER, 'INVALID_ORG_NAME'],
    ['NETWORK', 'nonsense', TELLER, BANK_ADMIN, 'NOT_NETWORK_ADMIN'],
    ['BANK', 'nonsense', OTHER_ADMIN, ADMIN, 'ORG_EXISTS'],
    ['SHOP', 'nonsense', TELLER, ADMIN, 'INVALID_NODE'],
    ['SHOP', NAMED_NODE, TELLER, ADMIN, 'HOST_NAME_NOT_SUPPORTED'],
    ['SHOP', NODE, TELLER, ADMIN, 'NODE_ALREADY_PRESENT'],
    ['SHOP', MOVED_NODE, TELLER, ADMIN, 'NODE_ALREADY_PRESENT'],
    ['SHOP', NEW_NODE, TELLER, ADMIN, 'ACCOUNT_IN_USE'],
    ['SHOP', NEW_NODE, STRANGER, ADMIN, 'allowed'],
  ])('%s at %s for %s, proposed by %s: %s', async (orgId, url, account, caller, outcome) => {
    expect(await outcomeOf(addOrg(caller, { orgId, url, account }))).toBe(outcome);
  });

  it('is refused while an item is pending, before its organization is checked', async () => {
    expect(await outcomeOf(addOrg(ADMIN, { ...SHOP, orgId: 'BANK' }), { pending: busy })).toBe(
      'PENDING_APPROVALS',
    );
  });

  it('may have a node with a host name where nodes are known by their URLs, but not under raft', async () => {
    const named = addOrg(ADMIN, { ...SHOP, url: NAMED_NODE });
    expect(await outcomeOf(named, { model: 'v1' })).toBe('allowed');
    expect(await outcomeOf(named, { model: 'v1', isRaft: true })).toBe('HOST_NAME_NOT_SUPPORTED');
  });
});

describe('a vote for an organization', () => {
  const proposed = { operation: 1, orgId: 'NEXT', url: NEW_NODE, account: STRANGER };
  const vote = { orgId: 'NEXT', url: NEW_NODE, account: STRANGER };

  it.each(['v1', 'v2'] as const)('must match the pending item, under %s', async (model) => {
    const pending = pendingItem(model, proposed);
    const checked = (change: Partial<typeof vote>) =>
      outcomeOf(approveOrg(ADMIN, { ...vote, ...change }), { model, pending });
    expect(await checked({})).toBe('allowed');
    expect(await checked({ orgId: 'SHOP' })).toBe('NOTHING_TO_APPROVE');
    expect(await checked({ account: TELLER })).toBe('NOTHING_TO_APPROVE');
    expect(await checked({ url: NODE })).toBe('NOTHING_TO_APPROVE');
    expect(await outcomeOf(approveOrg(BANK_ADMIN, vote), { model, pending })).toBe('NOT_NETWORK_ADMIN');
    const other = pendingItem(model, { ...proposed, operation: 2 });
    expect(await outcomeOf(approveOrg(ADMIN, vote), { model, pending: other })).toBe('NOTHING_TO_APPROVE');
  });

  it('names the node by its whole URL under v1, and by its node id under v2', async () => {
    const elsewhere = { ...vote, url: NEW_NODE.replace('10.0.0.5', '10.0.0.55') };
    const checked = (model: 'v1' | 'v2') =>
      outcomeOf(approveOrg(ADMIN, elsewhere), { model, pending: pendingItem(model, proposed) });
    expect(await checked('v1')).toBe('NOTHING_TO_APPROVE');
    expect(await checked('v2')).toBe('allowed');
  });

  it('is refused when no item is pending', async () => {
    expect(await outcomeOf(approveOrg(ADMIN, vote))).toBe('NOTHING_TO_APPROVE');
  });

  it('under v2 still needs a whole URL', async () => {
    const pending = pendingItem('v2', proposed);
    const onlyId = { ...vote, url: NEW_NODE.slice(8, 136) };
    expect(await outcomeOf(approveOrg(ADMIN, onlyId), { pending })).toBe('INVALID_NODE');
  });
});

describe('a sub-organization', () => {
  it.each([
    ['BANK', '', '', STRANGER, 'INVALID_INPUT'],
    ['GHOST', 'A.B', 'nonsense', STRANGER, 'INVALID_ORG_NAME'],
    ['GHOST', 'AB', 'nonsense', STRANGER, 'ORG_NOT_FOUND'],
    ['BANK', 'SUB', 'nonsense', OTHER_ADMIN, 'NOT_ORG_ADMIN'],
    ['BANK', 'SUB', 'nonsense', ADMIN, 'NOT_ORG_ADMIN'],
    ['BANK', 'SUB', 'nonsense', BANK_ADMIN, 'ORG_EXISTS'],
    ['BANK.SUB.DEEP', 'ANY', 'nonsense', BANK_ADMIN, 'MAX_DEPTH_REACHED'],
    ['FULL', 'THREE', 'nonsense', OTHER_ADMIN, 'MAX_BREADTH_REACHED'],
    ['BANK', 'NEW', 'nonsense', BANK_ADMIN, 'INVALID_NODE'],
    ['BANK', 'NEW', NODE, BANK_ADMIN, 'NODE_ALREADY_PRESENT'],
    ['BANK', 'NEW', NEW_NODE, BANK_ADMIN, 'allowed'],
    ['BANK', 'NEW', '', BANK_ADMIN, 'allowed'],
    ['BANK.SUB', 'NEW', '', BANK_ADMIN, 'allowed'],
    ['BANK.SUB', 'NEW', '', SUB_ADMIN, 'allowed'],
    ['BANK', 'NEW', '', SUB_ADMIN, 'NOT_ORG_ADMIN'],
    ['BANK.SUB.DEEP', 'NEW', '', SUB_ADMIN, 'NOT_ORG_ADMIN'],
  ])('of %s: %s at %s, added by %s: %s', async (parentOrgId, orgId, url, caller, outcome) => {
    expect(await outcomeOf(addSubOrg(caller, { parentOrgId, orgId, url }))).toBe(outcome);
  });
});

describe('the status of an organization', () => {
  it.each([
    ['GHOST', 3, STRANGER, 'NOT_NETWORK_ADMIN'],
    ['GHOST', 3, ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['GHOST', 0, ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['NETWORK', 1, ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['GHOST', 1, ADMIN, 'ORG_NOT_FOUND'],
    ['BANK.SUB', 2, ADMIN, 'NOT_A_MASTER_ORG'],
    ['BANK', 2, ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['CLOSED', 1, ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['NEXT', 1, ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', 1, ADMIN, 'allowed'],
    ['CLOSED', 2, ADMIN, 'allowed'],
  ])('of %s, action %d by %s: %s', async (orgId, action, caller, outcome) => {
    // The rules ignore the pending item here; the contracts refuse a second one.
    expect(await outcomeOf(updateOrgStatus(caller, { orgId, action }), { pending: busy })).toBe(outcome);
  });

  it('is voted on by the action that was proposed', async () => {
    const suspension = pendingItem('v2', { operation: 2, orgId: 'BANK' });
    const checked = (caller: typeof ADMIN, orgId: string, action: number) =>
      outcomeOf(approveOrgStatus(caller, { orgId, action }), { pending: suspension });
    expect(await checked(STRANGER, 'BANK', 3)).toBe('NOT_NETWORK_ADMIN');
    expect(await checked(ADMIN, 'BANK', 3)).toBe('OPERATION_NOT_ALLOWED');
    expect(await checked(ADMIN, 'BANK', 2)).toBe('NOTHING_TO_APPROVE');
    expect(await checked(ADMIN, 'FULL', 1)).toBe('NOTHING_TO_APPROVE');
    expect(await checked(ADMIN, 'BANK', 1)).toBe('allowed');
  });
});
