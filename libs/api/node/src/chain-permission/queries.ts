import { defineMethod, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, CONTRACT, ENODE } from '../examples.js';
import { hexForInteger, integersInTransaction } from '../tolerances.js';
import { sendRequestCodec } from '../wire/send-request.js';
import { textSchema } from '../wire/text.js';
import { accountCodec, nodeCodec, orgCodec, roleCodec } from './entries.js';
import { ACCOUNT_ENTRY, NODE_ENTRY, ORG, ORG_ENTRY, ROLE_ENTRY, SUB_ORG } from './examples.js';
import { SOURCE, orgIdParam } from './write.js';

const port = z.int().min(0).max(65535);

/** All that belongs to one organization; a list is null when it is empty. */
const orgDetailsCodec = z.object({
  nodeList: z.array(nodeCodec).nullable(),
  roleList: z.array(roleCodec).nullable(),
  acctList: z.array(accountCodec).nullable(),
  subOrgList: z.array(z.string()).nullable(),
});

export type PermissionOrgDetailsView = z.output<typeof orgDetailsCodec>;

const ERRORS = ['PERMISSIONING_NOT_ENABLED'] as const;

/** A read of all there is of one kind. */
function listOf<Entry extends z.ZodType>(summary: string, entry: Entry, example: unknown) {
  return defineMethod({
    summary,
    params: [],
    result: z.array(entry),
    errors: ERRORS,
    source: SOURCE,
    examples: [{ summary: 'with one', params: [], result: [example] }],
  });
}

/** Reads of the permission module. */
export const chainPermissionQueryMethods = {
  chainPermission_acctList: listOf('Permissioned accounts of the network.', accountCodec, ACCOUNT_ENTRY),
  chainPermission_connectionAllowed: defineMethod({
    summary: 'Whether a node may join the network.',
    params: [
      param('enodeId', textSchema, 'node id'),
      param('ipAddress', textSchema, 'address it connects from'),
      param('portNum', port, 'its peer port'),
      optionalParam('raftPort', port, 'its raft port, 0 when left out'),
    ],
    result: z.boolean(),
    errors: ERRORS,
    accepts: [
      hexForInteger('clients that write every number in hex', 2, 3),
      {
        what: 'a fourth parameter, the raft port',
        source: 'upstream takes four parameters, the interface document lists three',
        normalize: (params) => params,
      },
    ],
    source: SOURCE,
    examples: [
      { summary: 'of a listed node', params: [ENODE.slice(8, 136), '127.0.0.1', 21000], result: true },
    ],
  }),
  chainPermission_getOrgDetails: defineMethod({
    summary: 'Accounts, nodes, roles and sub-organizations of one organization.',
    params: [orgIdParam],
    result: orgDetailsCodec,
    errors: [...ERRORS, 'ORG_NOT_FOUND'],
    source: SOURCE,
    examples: [
      {
        summary: 'of a master organization',
        params: [ORG],
        result: {
          acctList: [ACCOUNT_ENTRY],
          nodeList: [NODE_ENTRY],
          roleList: [ROLE_ENTRY],
          subOrgList: [SUB_ORG],
        },
      },
      {
        summary: 'of an organization that has nothing yet',
        params: [SUB_ORG],
        result: { acctList: null, nodeList: null, roleList: null, subOrgList: null },
      },
    ],
  }),
  chainPermission_nodeList: listOf('Permissioned nodes of the network.', nodeCodec, NODE_ENTRY),
  chainPermission_orgList: listOf('Organizations of the network with their status.', orgCodec, ORG_ENTRY),
  chainPermission_roleList: listOf('Roles of the network.', roleCodec, ROLE_ENTRY),
  chainPermission_transactionAllowed: defineMethod({
    summary: 'Whether the sender of a transaction has enough permission for it.',
    params: [param('txArgs', sendRequestCodec, 'transaction')],
    result: z.boolean(),
    errors: ERRORS,
    accepts: [integersInTransaction(0)],
    source: SOURCE,
    examples: [
      {
        summary: 'of a contract call',
        params: [{ from: ACCOUNT, to: CONTRACT, data: '0xa9059cbb' }],
        result: true,
      },
    ],
  }),
};
