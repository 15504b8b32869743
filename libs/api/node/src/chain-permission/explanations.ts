import { addressCodec, defineMethod, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { ACCOUNT, RECIPIENT } from '../examples.js';
import { textSchema } from '../wire/text.js';
import { accountCodec, nodeCodec, orgCodec, roleCodec } from './entries.js';
import { ACCOUNT_ENTRY, ORG, ORG_ENTRY, ROLE, ROLE_ENTRY } from './examples.js';

const SOURCE = 'this project: for people who ask why a permission is refused';

const SUBJECTS = ['account', 'node', 'org'] as const;
const ACTIONS = ['transfer', 'call', 'deploy', 'extend', 'connect'] as const;
const CHANGES = [
  'updateOrgStatus',
  'updateAccountStatus',
  'updateNodeStatus',
  'changeAccountRole',
  'assignAdminRole',
  'removeRole',
] as const;

/** A decision at a block, the rule behind it, and the entries that it was read from. */
const explanationCodec = z.object({
  block: z.int().nonnegative(),
  isAllowed: z.boolean(),
  rule: z.string(),
  reason: z.string(),
  remedy: z.string().optional(),
  records: z.object({
    account: accountCodec.optional(),
    org: orgCodec.optional(),
    masterOrg: orgCodec.optional(),
    role: roleCodec.optional(),
    nodes: z.array(nodeCodec).optional(),
  }),
});

/** Who loses and who gains what. */
const previewCodec = z.object({
  block: z.int().nonnegative(),
  total: z.int().nonnegative(),
  changes: z.array(
    z.object({
      subject: z.enum(['account', 'node']),
      id: z.string(),
      action: z.enum(ACTIONS),
      isAllowed: z.boolean(),
    }),
  ),
});

export type PermissionExplanationView = z.output<typeof explanationCodec>;
export type PermissionPreviewView = z.output<typeof previewCodec>;

const ERRORS = ['PERMISSIONING_NOT_ENABLED', 'INVALID_QUESTION'] as const;
const MAX_WORDS = 4;

/** Questions beyond the interface document. */
export const chainPermissionExplanationMethods = {
  chainPermission_explain: defineMethod({
    summary:
      'Whether a permission is given at the head, by which rule and records, and what an admin could do about it.',
    params: [
      param('subject', z.enum(SUBJECTS), 'kind of what is asked about'),
      param('id', textSchema, 'address of an account, enode URL or id of a node, full id of an organization'),
      optionalParam(
        'action',
        z.enum(ACTIONS).nullable(),
        'for an account transfer (when absent), call, deploy or extend; for a node connect',
      ),
      optionalParam('to', addressCodec, 'recipient of the transaction'),
    ],
    result: explanationCodec,
    errors: ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'a role that permits no deployment',
        params: ['account', RECIPIENT, 'deploy'],
        result: {
          block: 120,
          isAllowed: false,
          rule: 'ROLE_ACCESS',
          reason: `the role ${ROLE} of ${ORG} has access 1, which does not permit a deploy`,
          remedy: `an admin of ${ORG} adds a role of access 2, 3, 6 or 7 with chainPermission_addNewRole, and assigns it with chainPermission_changeAccountRole("${RECIPIENT}", "${ORG}", …)`,
          records: { account: ACCOUNT_ENTRY, org: ORG_ENTRY, role: { ...ROLE_ENTRY, access: 1 } },
        },
      },
    ],
  }),
  chainPermission_previewChange: defineMethod({
    summary:
      'Which permissions a change would take and give, as if every vote on it were won. Nothing is sent.',
    params: [
      param('change', z.enum(CHANGES), 'method that makes the change, without its prefix'),
      param(
        'words',
        z.array(textSchema).max(MAX_WORDS),
        'parameters of that method in their order as texts, without the transaction',
      ),
    ],
    result: previewCodec,
    errors: ERRORS,
    source: SOURCE,
    examples: [
      {
        summary: 'of the suspension of an account',
        params: ['updateAccountStatus', [ORG, ACCOUNT, '1']],
        result: {
          block: 120,
          total: 1,
          changes: [{ subject: 'account', id: ACCOUNT, action: 'transfer', isAllowed: false }],
        },
      },
    ],
  }),
};
