import { describe, expect, it } from '@jest/globals';
import {
  ADMIN,
  BANK_ADMIN,
  DEACTIVATED_NODE,
  DENYLISTED_NODE,
  MOVED_NODE,
  NAMED_NODE,
  NEW_NODE,
  NODE,
  NOTHING,
  OTHER_ADMIN,
  RECOVERING_NODE,
  STRANGER,
  SUB_ADMIN,
  pendingItem,
} from '../../test/bank-network.js';
import { outcomeOf } from '../../test/outcome-of.js';
import { addNode, approveNodeRecovery, recoverNode, updateNodeStatus } from './node-actions.js';

const busy = pendingItem('v2', { operation: 2, orgId: 'BANK' });

describe('a new node', () => {
  it.each([
    ['GHOST', '', STRANGER, 'INVALID_INPUT'],
    ['GHOST', 'nonsense', STRANGER, 'ORG_NOT_FOUND'],
    ['BANK', 'nonsense', ADMIN, 'NOT_ORG_ADMIN'],
    ['BANK', 'nonsense', BANK_ADMIN, 'INVALID_NODE'],
    ['BANK', NAMED_NODE, BANK_ADMIN, 'HOST_NAME_NOT_SUPPORTED'],
    ['BANK.SUB', NODE, BANK_ADMIN, 'NODE_ALREADY_PRESENT'],
    ['BANK', MOVED_NODE, BANK_ADMIN, 'NODE_ALREADY_PRESENT'],
    ['BANK.SUB', NEW_NODE, SUB_ADMIN, 'allowed'],
  ])('in %s: %s, by %s: %s', async (orgId, url, caller, outcome) => {
    expect(await outcomeOf(addNode(caller, { orgId, url }))).toBe(outcome);
  });
});

describe('the status of a node', () => {
  it.each([
    ['GHOST', '', 9, STRANGER, 'ORG_NOT_FOUND'],
    ['BANK', '', 9, OTHER_ADMIN, 'NOT_ORG_ADMIN'],
    ['BANK', '', 9, BANK_ADMIN, 'INVALID_NODE'],
    ['BANK', 'nonsense', 9, BANK_ADMIN, 'INVALID_NODE'],
    ['BANK', NAMED_NODE, 9, BANK_ADMIN, 'HOST_NAME_NOT_SUPPORTED'],
    ['BANK', NEW_NODE, 9, BANK_ADMIN, 'NODE_NOT_FOUND'],
    ['BANK', MOVED_NODE, 1, BANK_ADMIN, 'NODE_NOT_FOUND'],
    ['BANK.SUB', DENYLISTED_NODE, 9, BANK_ADMIN, 'NODE_ORG_MISMATCH'],
    ['BANK', DENYLISTED_NODE, 9, BANK_ADMIN, 'NODE_DENYLISTED'],
    ['BANK', NODE, 9, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', NODE, 0, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', NODE, 2, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', DEACTIVATED_NODE, 1, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', RECOVERING_NODE, 3, BANK_ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', NODE, 1, BANK_ADMIN, 'allowed'],
    ['BANK', DEACTIVATED_NODE, 2, BANK_ADMIN, 'allowed'],
    ['BANK', DEACTIVATED_NODE, 3, BANK_ADMIN, 'allowed'],
  ])('in %s of %s, action %d by %s: %s', async (orgId, url, action, caller, outcome) => {
    expect(await outcomeOf(updateNodeStatus(caller, { orgId, url, action }))).toBe(outcome);
  });
});

describe('the recovery of a node', () => {
  it.each([
    ['GHOST', '', BANK_ADMIN, NOTHING, 'NOT_NETWORK_ADMIN'],
    ['GHOST', '', ADMIN, busy, 'ORG_NOT_FOUND'],
    ['BANK', '', ADMIN, busy, 'INVALID_NODE'],
    ['BANK', NEW_NODE, ADMIN, busy, 'NODE_NOT_FOUND'],
    ['FULL', DENYLISTED_NODE, ADMIN, busy, 'NODE_ORG_MISMATCH'],
    ['BANK', NODE, ADMIN, busy, 'OPERATION_NOT_ALLOWED'],
    ['BANK', DENYLISTED_NODE, ADMIN, busy, 'PENDING_APPROVALS'],
    ['BANK', DENYLISTED_NODE, ADMIN, NOTHING, 'allowed'],
  ])('in %s of %s, by %s: %s', async (orgId, url, caller, pending, outcome) => {
    expect(await outcomeOf(recoverNode(caller, { orgId, url }), { pending })).toBe(outcome);
  });

  it.each([
    ['GHOST', '', BANK_ADMIN, 'NOT_NETWORK_ADMIN'],
    ['GHOST', '', ADMIN, 'ORG_NOT_FOUND'],
    ['BANK', 'nonsense', ADMIN, 'INVALID_NODE'],
    ['BANK', NEW_NODE, ADMIN, 'NODE_NOT_FOUND'],
    ['FULL', RECOVERING_NODE, ADMIN, 'NODE_ORG_MISMATCH'],
    ['BANK', DENYLISTED_NODE, ADMIN, 'NODE_DENYLISTED'],
    ['BANK', NODE, ADMIN, 'OPERATION_NOT_ALLOWED'],
    ['BANK', RECOVERING_NODE, ADMIN, 'allowed'],
  ])('is voted on in %s for %s, by %s: %s', async (orgId, url, caller, outcome) => {
    const pending = pendingItem('v2', { operation: 5, orgId: 'BANK', url: RECOVERING_NODE });
    expect(await outcomeOf(approveNodeRecovery(caller, { orgId, url }), { pending })).toBe(outcome);
  });

  it('cannot be approved while another item is pending', async () => {
    const vote = approveNodeRecovery(ADMIN, { orgId: 'BANK', url: RECOVERING_NODE });
    expect(await outcomeOf(vote, { pending: busy })).toBe('NOTHING_TO_APPROVE');
  });
});
