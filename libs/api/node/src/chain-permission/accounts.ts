import { addressCodec, defineMethod, param } from '@tetrad/rpc';
import { textSchema } from '../wire/text.js';
import { BY_ADMIN, MEMBER, ORG, ROLE } from './examples.js';
import {
  ACTION_COMPLETED,
  LISTED_ACCOUNT_ERRORS,
  NETWORK_ADMIN,
  NETWORK_ADMIN_ERRORS,
  ORG_ADMIN,
  ORG_ADMIN_ERRORS,
  SOURCE,
  acceptsArguments,
  acceptsNumberAndArguments,
  actionParam,
  messageSchema,
  orgIdParam,
  txArgs,
} from './write.js';

const account = param('acctId', addressCodec, 'account');
const role = param('roleId', textSchema, 'role');

const ROLE_ERRORS = [...ORG_ADMIN_ERRORS, 'INVALID_INPUT', 'INVALID_ROLE', 'ACCOUNT_IN_USE'] as const;

/** Accounts of organizations and their roles. */
export const chainPermissionAccountMethods = {
  chainPermission_addAccountToOrg: defineMethod({
    summary: 'Links an account to an organization under a role.',
    params: [account, orgIdParam, role, txArgs],
    result: messageSchema,
    errors: [...ROLE_ERRORS],
    accepts: acceptsArguments(3),
    caller: ORG_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'adds one', params: [MEMBER, ORG, ROLE, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_approveAdminRole: defineMethod({
    summary: 'Approves an admin role that was assigned; the account has it once a majority has.',
    params: [orgIdParam, account, txArgs],
    result: messageSchema,
    errors: [...NETWORK_ADMIN_ERRORS, 'NOTHING_TO_APPROVE'],
    accepts: acceptsArguments(2),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'approves one', params: [ORG, MEMBER, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_approveBlackListedAccountRecovery: defineMethod({
    summary: 'Approves the recovery of a denylisted account; it is active once a majority has.',
    params: [orgIdParam, account, txArgs],
    result: messageSchema,
    errors: [...NETWORK_ADMIN_ERRORS, ...LISTED_ACCOUNT_ERRORS, 'ACCOUNT_DENYLISTED', 'NOTHING_TO_APPROVE'],
    accepts: acceptsArguments(2),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'approves one', params: [ORG, MEMBER, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_assignAdminRole: defineMethod({
    summary: 'Proposes a network admin, or another organization admin.',
    params: [orgIdParam, account, role, txArgs],
    result: messageSchema,
    errors: [
      ...NETWORK_ADMIN_ERRORS,
      'INVALID_INPUT',
      'OPERATION_NOT_ALLOWED',
      'ORG_NOT_FOUND',
      'ACCOUNT_IN_USE',
      'ACCOUNT_ALREADY_ORG_ADMIN',
    ],
    accepts: acceptsArguments(3),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [
      { summary: 'proposes one', params: [ORG, MEMBER, 'ORGADMIN', BY_ADMIN], result: ACTION_COMPLETED },
    ],
  }),
  chainPermission_changeAccountRole: defineMethod({
    summary: 'Gives an account of an organization another role.',
    params: [account, orgIdParam, role, txArgs],
    result: messageSchema,
    errors: [...ROLE_ERRORS],
    accepts: acceptsArguments(3),
    caller: ORG_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'changes one', params: [MEMBER, ORG, ROLE, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_recoverBlackListedAccount: defineMethod({
    summary: 'Proposes to recover a denylisted account.',
    params: [orgIdParam, account, txArgs],
    result: messageSchema,
    errors: [...NETWORK_ADMIN_ERRORS, ...LISTED_ACCOUNT_ERRORS, 'PENDING_APPROVALS'],
    accepts: acceptsArguments(2),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'proposes it', params: [ORG, MEMBER, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_updateAccountStatus: defineMethod({
    summary: 'Suspends (1), activates again (2) or denylists (3) an account.',
    params: [orgIdParam, account, actionParam, txArgs],
    result: messageSchema,
    errors: [...ORG_ADMIN_ERRORS, ...LISTED_ACCOUNT_ERRORS, 'ACCOUNT_DENYLISTED'],
    accepts: acceptsNumberAndArguments(3, 2),
    caller: ORG_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'suspends one', params: [ORG, MEMBER, 1, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
};
