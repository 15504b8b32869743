import { addressCodec, defineMethod, param } from '@tetrad/rpc';
import { textSchema } from '../wire/text.js';
import { BY_ADMIN, MEMBER, NODE, ORG } from './examples.js';
import {
  ACTION_COMPLETED,
  NETWORK_ADMIN,
  NETWORK_ADMIN_ERRORS,
  NEW_NODE_ERRORS,
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

const enode = param('enodeId', textSchema, 'enode URL of its first node');
const admin = param('accountId', addressCodec, 'account that becomes the organization admin');

/** Organizations and sub-organizations. */
export const chainPermissionOrgMethods = {
  chainPermission_addOrg: defineMethod({
    summary: 'Proposes an organization with its first node and its admin account.',
    params: [param('orgId', textSchema, 'new organization'), enode, admin, txArgs],
    result: messageSchema,
    errors: [
      ...NETWORK_ADMIN_ERRORS,
      ...NEW_NODE_ERRORS,
      'INVALID_INPUT',
      'INVALID_ORG_NAME',
      'PENDING_APPROVALS',
      'ORG_EXISTS',
      'ACCOUNT_IN_USE',
    ],
    accepts: acceptsArguments(3),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'proposes one', params: [ORG, NODE, MEMBER, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_addSubOrg: defineMethod({
    summary: 'Adds a sub-organization; without a node of its own it inherits that of its parent.',
    params: [
      param('parentOrgId', textSchema, 'full id of the parent'),
      param('subOrgId', textSchema, 'new sub-organization'),
      param('enodeId', textSchema, 'enode URL of its node, empty to inherit'),
      txArgs,
    ],
    result: messageSchema,
    errors: [
      ...ORG_ADMIN_ERRORS,
      ...NEW_NODE_ERRORS,
      'INVALID_INPUT',
      'INVALID_ORG_NAME',
      'ORG_EXISTS',
      'MAX_DEPTH_REACHED',
      'MAX_BREADTH_REACHED',
    ],
    accepts: acceptsArguments(3),
    caller: ORG_ADMIN,
    source: SOURCE,
    examples: [
      { summary: 'without a node', params: [ORG, 'TREASURY', '', BY_ADMIN], result: ACTION_COMPLETED },
    ],
  }),
  chainPermission_approveOrg: defineMethod({
    summary: 'Approves a proposed organization; it exists once a majority has.',
    params: [param('orgId', textSchema, 'proposed organization'), enode, admin, txArgs],
    result: messageSchema,
    errors: [...NETWORK_ADMIN_ERRORS, 'NOTHING_TO_APPROVE', 'INVALID_NODE', 'HOST_NAME_NOT_SUPPORTED'],
    accepts: acceptsArguments(3),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'approves one', params: [ORG, NODE, MEMBER, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_approveOrgStatus: defineMethod({
    summary: 'Approves the suspension (1) or the new activation (2) of an organization.',
    params: [orgIdParam, actionParam, txArgs],
    result: messageSchema,
    errors: [...NETWORK_ADMIN_ERRORS, 'OPERATION_NOT_ALLOWED', 'NOTHING_TO_APPROVE'],
    accepts: acceptsNumberAndArguments(2, 1),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'approves a suspension', params: [ORG, 1, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_updateOrgStatus: defineMethod({
    summary: 'Proposes to suspend (1) or to activate again (2) a master organization.',
    params: [orgIdParam, actionParam, txArgs],
    result: messageSchema,
    errors: [...NETWORK_ADMIN_ERRORS, 'OPERATION_NOT_ALLOWED', 'ORG_NOT_FOUND', 'NOT_A_MASTER_ORG'],
    accepts: acceptsNumberAndArguments(2, 1),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'proposes a suspension', params: [ORG, 1, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
};
