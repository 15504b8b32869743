import { describe, expect, it } from '@jest/globals';
import type { NodeId } from '@tetrad/node-peer';
import type { PermissionModel } from '@tetrad/node-permission-contracts';
import {
  ADMIN,
  BANK_ADMIN,
  DEACTIVATED_NODE,
  DENYLISTED,
  DENYLISTED_NODE,
  MOVED_NODE,
  NEW_NODE,
  NODE,
  POLICY,
  RECOVERING,
  STRANGER,
  SUSPENDED,
  TELLER,
  bankRecords,
} from '../../test/bank-network.js';
import { nodeIdIn } from '../records/node-url.js';
import { explainPermission, type ExplainingParts, type PermissionQuestion } from './explain.js';
import type { Explanation } from './explanation.js';
import { previewChange } from './preview-change.js';

const idOf = (url: string) => nodeIdIn(url) as NodeId;

/** The contracts answer what they are given to answer, under the second model. */
function parts({
  model = 'v1' as PermissionModel,
  own = NODE,
  answer = true,
  isInForce = true,
  isEnforced = true,
} = {}): ExplainingParts {
  const ask = () => Promise.resolve(answer);
  const state = {
    config: { ...POLICY, model, addresses: { interface: ADMIN } },
    records: bankRecords(),
    isRaft: false,
    isInForce,
    isEnforced,
    block: 7,
    atHead: () => Promise.resolve({ ask }),
  } as ExplainingParts['state'];
  return { state, lists: { allows: (nodeId) => nodeId === idOf(NODE) }, ownId: idOf(own) };
}

const explain = (question: PermissionQuestion, network = parts()) => explainPermission(network, question);
const account = (id: string, action?: PermissionQuestion['action']): PermissionQuestion => ({
  subject: 'account',
  id,
  action,
});
const ruleOf = async (asked: Promise<Explanation>) => {
  const { rule, isAllowed } = await asked;
  return `${rule} ${isAllowed}`;
};

describe('the rule for an account', () => {
  it.each([
    [ADMIN, 'deploy', 'NODE_OF_OTHER_ORG false'],
    [BANK_ADMIN, 'deploy', 'ADMIN_ROLE true'],
    [TELLER, 'call', 'ROLE_ACCESS true'],
    [TELLER, 'deploy', 'ROLE_ACCESS false'],
    [SUSPENDED, 'transfer', 'ACCOUNT_NOT_ACTIVE false'],
    [STRANGER, 'transfer', 'ACCOUNT_UNKNOWN false'],
    [BANK_ADMIN, 'extend', 'ADMIN_ROLE true'],
    [TELLER, 'extend', 'NOT_AN_ADMIN false'],
  ] as const)('%s, %s: %s', async (id, action, expected) => {
    expect(await ruleOf(explain(account(id, action)))).toBe(expected);
  });

  it('names the records, the status in words, and what an admin calls', async () => {
    const found = await explain(account(DENYLISTED));
    expect(found.reason).toBe('the account is denylisted in BANK');
    expect(found.remedy).toContain(`chainPermission_recoverBlackListedAccount("BANK", "${DENYLISTED}")`);
    expect(found.records).toEqual({ account: expect.objectContaining({ acctId: DENYLISTED, status: 5 }) });
    expect((await explain(account(RECOVERING))).remedy).toMatch(/^a majority of the network admins approves/);
    expect((await explain(account(TELLER, 'deploy'))).remedy).toContain('access 2 or 3');
  });

  it('is that nothing is enforced, until it is', async () => {
    expect(await ruleOf(explain(account(STRANGER), parts({ isInForce: false })))).toBe('NOT_ENFORCED true');
  });

  it('is that contracts differ where they answer otherwise than their records', async () => {
    const differing = parts({ model: 'v2', answer: false });
    const found = await explain(account(BANK_ADMIN), differing);
    expect([found.rule, found.isAllowed]).toEqual(['CONTRACTS_DIFFER', false]);
    expect(await ruleOf(explain(account(SUSPENDED), differing))).toBe('ACCOUNT_NOT_ACTIVE false');
  });
});

describe('the rule for a node', () => {
  it.each([
    [NODE, 'NODE_APPROVED true'],
    [idOf(NODE), 'NODE_APPROVED true'],
    [DEACTIVATED_NODE, 'NODE_NOT_APPROVED false'],
    [DENYLISTED_NODE, 'NODE_NOT_APPROVED false'],
    [NEW_NODE, 'NODE_UNKNOWN false'],
    [MOVED_NODE, 'NODE_ADDRESS false'],
  ])('%s: %s', async (id, expected) => {
    expect(await ruleOf(explain({ subject: 'node', id }, parts({ model: 'v2' })))).toBe(expected);
  });

  it('says that a node moves with a new key, since the contracts keep the address of the old one', async () => {
    const moved = explain({ subject: 'node', id: MOVED_NODE }, parts({ model: 'v2' }));
    expect((await moved).remedy).toContain('it takes a new node key');
  });

  it('is that of the files until permissions are enforced', async () => {
    const files = parts({ isInForce: false, isEnforced: false });
    expect(await ruleOf(explain({ subject: 'node', id: NODE }, files))).toBe('NODE_LISTED true');
    expect(await ruleOf(explain({ subject: 'node', id: NEW_NODE }, files))).toBe('NODE_NOT_LISTED false');
  });
});

describe('the rule for an organization', () => {
  it.each([
    ['BANK.SUB', 'ORG_ACTIVE true'],
    ['CLOSED', 'ORG_NOT_ACTIVE false'],
    ['NEXT', 'ORG_NOT_ACTIVE false'],
    ['NOWHERE', 'ORG_UNKNOWN false'],
  ])('%s: %s', async (id, expected) => {
    expect(await ruleOf(explain({ subject: 'org', id }, parts({ model: 'v2' })))).toBe(expected);
  });
});

it.each<PermissionQuestion>([
  { subject: 'account', id: '0x12' },
  { subject: 'account', id: `0x${'00'.repeat(20)}` },
  account(TELLER, 'connect'),
  { subject: 'node', id: 'enode://12@10.0.0.1:1' },
  { subject: 'node', id: NODE, action: 'deploy' },
  { subject: 'org', id: 'BANK', action: 'connect' },
])('an invalid question is refused: %j', async (question) => {
  await expect(explain(question)).rejects.toMatchObject({ code: 'INVALID_QUESTION' });
});

describe('a preview', () => {
  const preview = (...[change, words]: [Parameters<typeof previewChange>[1], string[]]) =>
    previewChange({ records: bankRecords(), policy: POLICY, model: 'v2' }, change, words);

  it('of a suspension names every account of the organization and those below it', async () => {
    const { changes } = await preview('updateOrgStatus', ['BANK', '1']);
    expect(new Set(changes.map(({ id }) => id))).toEqual(new Set([BANK_ADMIN, TELLER]));
    expect(changes.every(({ isAllowed }) => !isAllowed)).toBe(true);
  });

  it('of a node names its URL', async () => {
    expect(await preview('updateNodeStatus', ['BANK', DEACTIVATED_NODE, '2'])).toEqual({
      changes: [{ subject: 'node', id: DEACTIVATED_NODE, action: 'connect', isAllowed: true }],
      total: 1,
    });
  });

  it('of another admin says who is replaced', async () => {
    const { changes } = await preview('assignAdminRole', ['BANK', STRANGER, 'ORGADMIN']);
    const gained = changes.filter(({ isAllowed }) => isAllowed).map(({ id }) => id);
    const lost = changes.filter(({ isAllowed }) => !isAllowed).map(({ id }) => id);
    expect([new Set(gained), new Set(lost)]).toEqual([new Set([STRANGER]), new Set([BANK_ADMIN])]);
  });

  it('of a role that goes names the accounts that have it, under the first model', async () => {
    const parts = { records: bankRecords(), policy: POLICY, model: 'v1' as const };
    const { changes } = await previewChange(parts, 'removeRole', ['BANK', 'TELLER']);
    expect(changes).toEqual(
      ['transfer', 'call'].map((action) => ({ subject: 'account', id: TELLER, action, isAllowed: false })),
    );
  });

  it('changes nothing', async () => {
    const records = bankRecords();
    await previewChange({ records, policy: POLICY, model: 'v1' }, 'updateAccountStatus', [
      'BANK',
      TELLER,
      '3',
    ]);
    expect(records.accounts()).toEqual(bankRecords().accounts());
  });

  it.each([
    ['updateOrgStatus', ['NOWHERE', '1'], 'the network has no organization NOWHERE'],
    ['updateOrgStatus', ['BANK', '3'], 'action must be one of 1, 2'],
    ['updateAccountStatus', ['FULL', TELLER, '1'], `the network has no account ${TELLER} of FULL`],
    ['changeAccountRole', [TELLER, 'BANK', 'NONE'], 'the network has no role NONE of BANK'],
    ['changeAccountRole', [TELLER, 'FULL', 'TELLER'], `account ${TELLER} belongs to BANK`],
    ['changeAccountRole', ['0x', 'BANK', 'TELLER'], 'account must be an address: 0x and 40 hex digits'],
    ['updateNodeStatus', ['BANK', NEW_NODE, '1'], `the network has no node ${NEW_NODE} of BANK`],
  ] as const)('refuses %s %j', async (change, words, message) => {
    await expect(preview(change, [...words])).rejects.toThrow(message);
  });
});
