import { defineMethod, param } from '@tetrad/rpc';
import { textSchema } from '../wire/text.js';
import { BY_ADMIN, NODE, ORG } from './examples.js';
import {
  ACTION_COMPLETED,
  LISTED_NODE_ERRORS,
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

const enode = param('enodeId', textSchema, 'enode URL of the node');

/** Nodes of organizations. */
export const chainPermissionNodeMethods = {
  chainPermission_addNode: defineMethod({
    summary: 'Adds a node to an organization.',
    params: [orgIdParam, enode, txArgs],
    result: messageSchema,
    errors: [...ORG_ADMIN_ERRORS, ...NEW_NODE_ERRORS, 'INVALID_INPUT'],
    accepts: acceptsArguments(2),
    caller: ORG_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'adds one', params: [ORG, NODE, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_approveBlackListedNodeRecovery: defineMethod({
    summary: 'Approves the recovery of a denylisted node; it is active once a majority has.',
    params: [orgIdParam, enode, txArgs],
    result: messageSchema,
    errors: [
      ...NETWORK_ADMIN_ERRORS,
      ...LISTED_NODE_ERRORS,
      'ORG_NOT_FOUND',
      'NODE_DENYLISTED',
      'NOTHING_TO_APPROVE',
    ],
    accepts: acceptsArguments(2),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'approves one', params: [ORG, NODE, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_recoverBlackListedNode: defineMethod({
    summary: 'Proposes to recover a denylisted node.',
    params: [orgIdParam, enode, txArgs],
    result: messageSchema,
    errors: [...NETWORK_ADMIN_ERRORS, ...LISTED_NODE_ERRORS, 'ORG_NOT_FOUND', 'PENDING_APPROVALS'],
    accepts: acceptsArguments(2),
    caller: NETWORK_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'proposes it', params: [ORG, NODE, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
  chainPermission_updateNodeStatus: defineMethod({
    summary: 'Deactivates (1), activates again (2) or denylists (3) a node.',
    params: [orgIdParam, enode, actionParam, txArgs],
    result: messageSchema,
    errors: [...ORG_ADMIN_ERRORS, ...LISTED_NODE_ERRORS, 'NODE_DENYLISTED'],
    accepts: acceptsNumberAndArguments(3, 2),
    caller: ORG_ADMIN,
    source: SOURCE,
    examples: [{ summary: 'deactivates one', params: [ORG, NODE, 1, BY_ADMIN], result: ACTION_COMPLETED }],
  }),
};
