import { expect, it } from '@jest/globals';
import { BY_ADMIN, NODE, ORG } from './examples.js';
import { ACTION_COMPLETED, actionParam, defineAction, orgIdParam } from './write.js';

it('an action of an admin has the sender last, and the errors of its caller first', () => {
  const { params, errors, accepts, caller, examples } = defineAction({
    by: 'org',
    summary: 'Suspends something.',
    params: [orgIdParam, actionParam],
    number: 1,
    errors: ['NOTHING_TO_APPROVE'],
    example: ['suspends it', ORG, 1],
  });
  expect(params.map(({ name }) => name)).toEqual(['orgId', 'action', 'txArgs']);
  expect(errors).toEqual([
    'INVALID_ACCOUNT',
    'PERMISSIONING_NOT_ENABLED',
    'PERMISSION_ACTION_FAILED',
    'NOT_ORG_ADMIN',
    'ORG_NOT_FOUND',
    'NOTHING_TO_APPROVE',
  ]);
  expect(accepts).toHaveLength(3);
  expect(caller).toBe('organization admin account');
  expect(examples).toEqual([
    { summary: 'suspends it', params: [ORG, 1, BY_ADMIN], result: ACTION_COMPLETED },
  ]);
});

it('an action of a network admin without a number takes no hex for one', () => {
  const { accepts, caller } = defineAction({
    by: 'network',
    summary: 'Approves something.',
    params: [orgIdParam],
    errors: [],
    example: ['approves it', NODE],
  });
  expect(accepts).toHaveLength(2);
  expect(caller).toBe('network admin account');
});
