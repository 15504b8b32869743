import { addressCodec, param } from '@tetrad/rpc';
import { textSchema } from '../wire/text.js';
import { MEMBER, ORG, ROLE } from './examples.js';
import { LISTED_ACCOUNT_ERRORS, actionParam, defineAction, orgIdParam } from './write.js';

const account = param('acctId', addressCodec, 'account');
const role = param('roleId', textSchema, 'role');

const ROLE_ERRORS = ['INVALID_INPUT', 'INVALID_ROLE', 'ACCOUNT_IN_USE'] as const;

/** Accounts of organizations and their roles. */
export const chainPermissionAccountMethods = {
  chainPermission_addAccountToOrg: defineAction({
    by: 'org',
    summary: 'Links an account to an organization under a role.',
    params: [account, orgIdParam, role],
    errors: [...ROLE_ERRORS, 'ORG_SHARE_REACHED'],
    example: ['adds one', MEMBER, ORG, ROLE],
  }),
  chainPermission_approveAdminRole: defineAction({
    by: 'network',
    summary: 'Approves an admin role that was assigned; the account has it once a majority has.',
    params: [orgIdParam, account],
    errors: ['NOTHING_TO_APPROVE'],
    example: ['approves one', ORG, MEMBER],
  }),
  chainPermission_approveBlackListedAccountRecovery: defineAction({
    by: 'network',
    summary: 'Approves the recovery of a denylisted account; it is active once a majority has.',
    params: [orgIdParam, account],
    errors: [...LISTED_ACCOUNT_ERRORS, 'ACCOUNT_DENYLISTED', 'NOTHING_TO_APPROVE'],
    example: ['approves one', ORG, MEMBER],
  }),
  chainPermission_assignAdminRole: defineAction({
    by: 'network',
    summary: 'Proposes a network admin, or another organization admin.',
    params: [orgIdParam, account, role],
    errors: [
      'INVALID_INPUT',
      'OPERATION_NOT_ALLOWED',
      'ORG_NOT_FOUND',
      'ACCOUNT_IN_USE',
      'ACCOUNT_ALREADY_ORG_ADMIN',
    ],
    example: ['proposes one', ORG, MEMBER, 'ORGADMIN'],
  }),
  chainPermission_changeAccountRole: defineAction({
    by: 'org',
    summary: 'Gives an account of an organization another role.',
    params: [account, orgIdParam, role],
    errors: [...ROLE_ERRORS],
    example: ['changes one', MEMBER, ORG, ROLE],
  }),
  chainPermission_recoverBlackListedAccount: defineAction({
    by: 'network',
    summary: 'Proposes to recover a denylisted account.',
    params: [orgIdParam, account],
    errors: [...LISTED_ACCOUNT_ERRORS, 'PENDING_APPROVALS'],
    example: ['proposes it', ORG, MEMBER],
  }),
  chainPermission_updateAccountStatus: defineAction({
    by: 'org',
    summary: 'Suspends (1), activates again (2) or denylists (3) an account.',
    params: [orgIdParam, account, actionParam],
    errors: [...LISTED_ACCOUNT_ERRORS, 'ACCOUNT_DENYLISTED'],
    number: 2,
    example: ['suspends one', ORG, MEMBER, 1],
  }),
};
