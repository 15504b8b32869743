import { param } from '@tetrad/rpc';
import { z } from 'zod';
import { textSchema } from '../wire/text.js';
import { ORG, ROLE } from './examples.js';
import { defineAction, orgIdParam } from './write.js';

const role = param('roleId', textSchema, 'role, unique in the organization');

/** Roles of organizations. */
export const chainPermissionRoleMethods = {
  chainPermission_addNewRole: defineAction({
    by: 'org',
    summary: 'Creates a role; that of a sub-organization must exist in the master organization.',
    params: [
      orgIdParam,
      role,
      param('accountAccess', z.int().min(0).max(255), 'what its accounts may do'),
      param('isVoter', z.boolean(), 'whether its accounts vote; for network admin roles'),
      param('isAdminRole', z.boolean(), 'whether it is an organization admin role'),
    ],
    errors: ['INVALID_INPUT', 'ROLE_EXISTS', 'INVALID_ACCESS_TYPE', 'ORG_SHARE_REACHED'],
    number: 2,
    example: ['creates one', ORG, ROLE, 1, false, false],
  }),
  chainPermission_removeRole: defineAction({
    by: 'org',
    summary: 'Makes a role inactive for good.',
    params: [orgIdParam, role],
    errors: ['ADMIN_ROLE_NOT_REMOVABLE', 'INVALID_ROLE', 'ROLE_INACTIVE', 'ROLE_HAS_ACCOUNTS'],
    example: ['removes one', ORG, ROLE],
  }),
};
