import { addressCodec, param } from '@tetrad/rpc';
import { textSchema } from '../wire/text.js';
import { MEMBER, NODE, ORG } from './examples.js';
import { NEW_NODE_ERRORS, actionParam, defineAction, orgIdParam } from './write.js';

const enode = param('enodeId', textSchema, 'enode URL of its first node');
const admin = param('accountId', addressCodec, 'account that becomes the organization admin');

/** Organizations and sub-organizations. */
export const chainPermissionOrgMethods = {
  chainPermission_addOrg: defineAction({
    by: 'network',
    summary: 'Proposes an organization with its first node and its admin account.',
    params: [param('orgId', textSchema, 'new organization'), enode, admin],
    errors: [
      ...NEW_NODE_ERRORS,
      'INVALID_INPUT',
      'INVALID_ORG_NAME',
      'PENDING_APPROVALS',
      'ORG_EXISTS',
      'ACCOUNT_IN_USE',
    ],
    example: ['proposes one', ORG, NODE, MEMBER],
  }),
  chainPermission_addSubOrg: defineAction({
    by: 'org',
    summary: 'Adds a sub-organization; without a node of its own it inherits that of its parent.',
    params: [
      param('parentOrgId', textSchema, 'full id of the parent'),
      param('subOrgId', textSchema, 'new sub-organization'),
      param('enodeId', textSchema, 'enode URL of its node, empty to inherit'),
    ],
    errors: [
      ...NEW_NODE_ERRORS,
      'INVALID_INPUT',
      'INVALID_ORG_NAME',
      'ORG_EXISTS',
      'MAX_DEPTH_REACHED',
      'MAX_BREADTH_REACHED',
      'ORG_SHARE_REACHED',
    ],
    example: ['without a node', ORG, 'TREASURY', ''],
  }),
  chainPermission_approveOrg: defineAction({
    by: 'network',
    summary: 'Approves a proposed organization; it exists once a majority has.',
    params: [param('orgId', textSchema, 'proposed organization'), enode, admin],
    errors: ['NOTHING_TO_APPROVE', 'INVALID_NODE', 'HOST_NAME_NOT_SUPPORTED'],
    example: ['approves one', ORG, NODE, MEMBER],
  }),
  chainPermission_approveOrgStatus: defineAction({
    by: 'network',
    summary: 'Approves the suspension (1) or the new activation (2) of an organization.',
    params: [orgIdParam, actionParam],
    errors: ['OPERATION_NOT_ALLOWED', 'NOTHING_TO_APPROVE'],
    number: 1,
    example: ['approves a suspension', ORG, 1],
  }),
  chainPermission_updateOrgStatus: defineAction({
    by: 'network',
    summary: 'Proposes to suspend (1) or to activate again (2) a master organization.',
    params: [orgIdParam, actionParam],
    errors: ['OPERATION_NOT_ALLOWED', 'ORG_NOT_FOUND', 'NOT_A_MASTER_ORG'],
    number: 1,
    example: ['proposes a suspension', ORG, 1],
  }),
};
