import { param } from '@tetrad/rpc';
import { textSchema } from '../wire/text.js';
import { NODE, ORG } from './examples.js';
import { LISTED_NODE_ERRORS, NEW_NODE_ERRORS, actionParam, defineAction, orgIdParam } from './write.js';

const enode = param('enodeId', textSchema, 'enode URL of the node');

/** Nodes of organizations. */
export const chainPermissionNodeMethods = {
  chainPermission_addNode: defineAction({
    by: 'org',
    summary: 'Adds a node to an organization.',
    params: [orgIdParam, enode],
    errors: [...NEW_NODE_ERRORS, 'INVALID_INPUT', 'ORG_SHARE_REACHED'],
    example: ['adds one', ORG, NODE],
  }),
  chainPermission_approveBlackListedNodeRecovery: defineAction({
    by: 'network',
    summary: 'Approves the recovery of a denylisted node; it is active once a majority has.',
    params: [orgIdParam, enode],
    errors: [...LISTED_NODE_ERRORS, 'ORG_NOT_FOUND', 'NODE_DENYLISTED', 'NOTHING_TO_APPROVE'],
    example: ['approves one', ORG, NODE],
  }),
  chainPermission_recoverBlackListedNode: defineAction({
    by: 'network',
    summary: 'Proposes to recover a denylisted node.',
    params: [orgIdParam, enode],
    errors: [...LISTED_NODE_ERRORS, 'ORG_NOT_FOUND', 'PENDING_APPROVALS'],
    example: ['proposes it', ORG, NODE],
  }),
  chainPermission_updateNodeStatus: defineAction({
    by: 'org',
    summary: 'Deactivates (1), activates again (2) or denylists (3) a node.',
    params: [orgIdParam, enode, actionParam],
    errors: [...LISTED_NODE_ERRORS, 'NODE_DENYLISTED'],
    number: 2,
    example: ['deactivates one', ORG, NODE, 1],
  }),
};
