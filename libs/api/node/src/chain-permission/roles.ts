import { defineMethod, param } from '@tetrad/rpc';
import { z } from 'zod';
import { textSchema } from '../wire/text.js';
import { BY_ADMIN, ORG, ROLE } from './examples.js';
import {
  ACTION_COMPLETED,
  ORG_ADMIN,
  ORG_ADMIN_ERRORS,
  SOURCE,
  acceptsArguments,
  acceptsNumberAndArguments,
  messageSchema,
  orgIdParam,
  txArgs,
} from './write.js';

const role = param('roleId', textSchema, 'role, unique in the organization');

/** Roles of organizations. */
export const chainPermissionRoleMethods = {
  chainPermission_addNewRole: defineMethod({
    summary: 'Creates a role; that of a sub-organization must exist in the master organization.',
    params: [
      orgIdParam,
      role,
      param('accountAccess', z.int().min(0).max(255), 'what its accounts may do'),
      param('isVoter', z.boolean(), 'whether its accounts vote; for network admin roles'),
      param('isAdminRole', z.boolean(), 'whether it is an organization admin role'),
      txArgs,
    ],
    result: messageSchema,
    errors: [...ORG_ADMIN_ERRORS, 'INVALID_INPUT', 'ROLE_EXISTS', 'INVALID_ACCESS_TYPE'],
    accepts: acceptsNumberAndArguments(5, 2),
    caller: ORG_ADMIN,
    source: SOURCE,
    examples: [
      { summary: 'creates one', params: [ORG, ROLE, 1, false, false, BY_ADMIN], result: ACTION_COMPLETED },
    ],
  }),
  chainPermission_removeRole: defineMethod({
    summary: 'Makes a role inactive for good.',
    params: [orgIdParam, role, txArgs],
    result: messageSchema,
    errors: [
      ...ORG_ADMIN_ERRORS,
      'ADMIN_ROLE_NOT_REMOVABLE',
      'INVALID_ROLE',
      'ROLE_INACTIVE',
      'ROLE_HAS_ACCOUNTS',
    ],
    accepts: acceptsArguments(2),
    caller: ORG_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'removes one', params: [ORG, ROLE, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
};
