import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PermissionNode } from '@tetrad/node-permission-contracts';
import type { NodeId } from '@tetrad/node-peer';
import type { Address } from '@tetrad/types';
import { accountOf, nodeOf } from '../../permission-contracts/test/permission-chain.js';
import { connectionRule } from '../src/enforcement/connection-rule.js';
import { checkTransaction } from '../src/explanation/check-account.js';
import { checkOrg } from '../src/explanation/check-org.js';
import { MAX_RECORD_TEXT } from '../src/records/permission-records.js';
import { ADMINS, ContractChain, contentOf } from './contract-chain.js';

/** Ids that only a call of the contracts itself can give, since the methods refuse all but letters, digits, - and _. */
const IDS = [
  'ABC',
  'abc',
  'Abc',
  // One in appearance: composed and decomposed, with characters of no width, from right to left, in Cyrillic.
  'Bank\u00e9',
  'Banke\u0301',
  '\u200bABC',
  'ABC\u200b',
  '\u202eCBA',
  '\u0410\u0412\u0421',
  '\ufeffABC',
  // With the separator.
  'ABC.SUB',
  'ABC.',
  '.',
  '.ABC.',
  'ABC..SUB',
  // Not UTF-8, and what a decoder might make of it.
  '\udcff',
  '\udcfe',
  '\ufffd',
  'ABC\udcff',
  '',
  ' ',
  '\0',
  'ABC\n',
  '\u001b[2J',
  'ABC is approved, and XYZ',
  '__proto__',
  'NONE',
];
const adminOf = (orgId: string): Address => accountOf(1_000 + IDS.indexOf(orgId));
const nodeFor = (orgId: string): PermissionNode => nodeOf(1_000 + IDS.indexOf(orgId));
const [FIRST, SECOND] = ADMINS as [Address, Address];
const LONG = 'L'.repeat(5_000);
/** Of an account that sends the call itself, within what a block takes. */
const MUCH_GAS = 40_000_000n;

async function found(
  chain: ContractChain,
  orgId: string,
  account: Address,
  node: PermissionNode,
): Promise<void> {
  const org = { orgId, node, account };
  expect(await chain.operate(FIRST, { name: 'addOrg', ...org })).toBe(true);
  for (const admin of [FIRST, SECOND])
    expect(await chain.operate(admin, { name: 'approveOrg', ...org })).toBe(true);
}

async function suspend(chain: ContractChain, orgId: string): Promise<void> {
  expect(await chain.operate(FIRST, { name: 'updateOrgStatus', orgId, action: 1 })).toBe(true);
  for (const admin of [FIRST, SECOND])
    expect(await chain.operate(admin, { name: 'approveOrgStatus', orgId, action: 1 })).toBe(true);
}

/** The organizations whose admins may transact, by the records and by those of a node that starts now. */
function activeIn({ followed, config }: ContractChain, read: ContractChain['followed']): readonly string[] {
  const active = (records: ContractChain['followed']) =>
    IDS.filter((orgId) => {
      const rules = { records, policy: config, model: config.model };
      return checkTransaction(rules, adminOf(orgId), 'transfer').isAllowed;
    });
  expect(active(read)).toEqual(active(followed));
  return active(followed);
}

describe.each(['v1', 'v2'] as const)('ids that resemble each other (%s)', (model) => {
  let start: ContractChain;
  beforeAll(async () => {
    start = await ContractChain.boot(model);
    for (const orgId of IDS) await found(start, orgId, adminOf(orgId), nodeFor(orgId));
  });

  it('are those of different organizations, each with its own node and admin', async () => {
    const { followed } = start;
    expect(contentOf(followed)).toEqual(contentOf(await start.read()));
    expect(followed.orgs().map(({ fullOrgId }) => fullOrgId)).toEqual(['ADMINORG', ...IDS]);
    for (const orgId of IDS)
      expect(followed.detailsOf(orgId)).toMatchObject({
        nodeList: [{ orgId, status: 2 }],
        acctList: [{ orgId, acctId: adminOf(orgId), status: 2 }],
      });
    expect(followed.leftOut).toBe(0);
  });

  it('are suspended one by one', async () => {
    const chain = await start.copy();
    const suspended = ['ABC.SUB', 'Banke\u0301', '\udcff'];
    for (const orgId of suspended) await suspend(chain, orgId);
    const active = activeIn(chain, await chain.read());
    expect(active).toEqual(IDS.filter((orgId) => !suspended.includes(orgId)));
  });

  it('of a master organization and of one below another are never the same', async () => {
    const chain = await start.copy();
    const add = (parentOrgId: string, orgId: string) =>
      chain.operate(adminOf(parentOrgId), { name: 'addSubOrg', parentOrgId, orgId, node: nodeOf(999) });
    expect(await add('ABC', 'SUB')).toBe(false);
    const before = chain.followed.org('ABC');
    await suspend(chain, 'ABC');
    // Below the organization without an id, which is not a master organization named ABC.
    expect(await add('', 'ABC')).toBe(true);
    expect(chain.followed.org('ABC')).toEqual({ ...before, status: 4 });
    expect(chain.followed.org('.ABC')).toMatchObject({ level: 2, ultimateParent: '', status: 2 });
    const read = await chain.read();
    expect(contentOf(chain.followed)).toEqual(contentOf(read));
    expect(activeIn(chain, read)).toEqual(IDS.filter((one) => one !== 'ABC'));
  });

  it('are seen as what they are in explanations, which are ASCII and bounded', () => {
    const { followed } = start;
    const reasons = IDS.map((orgId) => checkOrg(followed, model, orgId).reason);
    expect(new Set(reasons).size).toBe(IDS.length);
    for (const reason of reasons) expect(reason).toMatch(/^[ -~…]+$/);
    expect(checkOrg(followed, model, 'Banke\u0301').reason).toBe('"Banke\\u0301" is approved');
    expect(checkOrg(followed, model, 'ABC').reason).toBe('ABC is approved');
    const { reason } = checkOrg(followed, model, LONG);
    expect(reason).toMatch(/^the network has no organization "L{256}"… of 5000 characters$/);
  });
});

describe.each(['v1', 'v2'] as const)('an id of 5 kB (%s)', (model) => {
  it('has no permission that records give, on nodes that follow and on those that start, and troubles no other', async () => {
    const chain = await ContractChain.boot(model);
    await found(chain, 'ABC', adminOf('ABC'), nodeOf(2));
    const addSubOrg = { name: 'addSubOrg', parentOrgId: 'ABC', orgId: LONG, node: nodeOf(3) } as const;
    expect(await chain.operate(adminOf('ABC'), addSubOrg, MUCH_GAS)).toBe(true);
    const role = { orgId: 'ABC', access: 1, isVoter: false, isAdmin: false };
    const member = accountOf(7);
    for (const roleId of ['R', LONG]) {
      for (const operation of [
        { name: 'addNewRole', ...role, roleId },
        { name: 'assignAccountRole', orgId: 'ABC', account: member, roleId },
      ] as const)
        expect(await chain.operate(adminOf('ABC'), operation, MUCH_GAS)).toBe(true);
    }
    const read = await chain.read();
    expect(contentOf(chain.followed)).toEqual(contentOf(read));
    for (const records of [chain.followed, read]) {
      expect(records.orgs().map(({ orgId }) => orgId)).toEqual(['ADMINORG', 'ABC']);
      expect(records.account(member)).toBeUndefined();
      const texts = JSON.stringify(contentOf(records));
      expect(texts).not.toContain('L'.repeat(MAX_RECORD_TEXT));
      expect([records.leftOut > 0, records.crowdedOut]).toEqual([true, 0]);
    }
  });
});

describe('another spelling of a node id, which an organization adds for itself', () => {
  it('does not let the node in that a network admin has denylisted (v2)', async () => {
    const chain = await ContractChain.boot('v2');
    await found(chain, 'ABC', adminOf('ABC'), nodeOf(2));
    const victim = nodeOf(0xabcd);
    expect(await chain.operate(FIRST, { name: 'addNode', orgId: 'ADMINORG', node: victim })).toBe(true);
    const denylist = { name: 'updateNodeStatus', orgId: 'ADMINORG', node: victim, action: 3 } as const;
    expect(await chain.operate(FIRST, denylist)).toBe(true);
    const spellings = [
      victim.enodeId.toUpperCase(),
      `${victim.enodeId}@${victim.ip}:1?`,
      ` ${victim.enodeId}`,
      `${'0'.repeat(8)}${victim.enodeId}`,
    ];
    for (const enodeId of spellings) {
      const node = { ...victim, enodeId };
      expect(await chain.operate(adminOf('ABC'), { name: 'addNode', orgId: 'ABC', node })).toBe(true);
    }
    const read = await chain.read();
    expect(contentOf(chain.followed)).toEqual(contentOf(read));
    for (const records of [chain.followed, read]) {
      const view = { model: 'v2', records, isEnforced: true, hasCaughtUp: true } as const;
      const isAllowed = connectionRule({ view, lists: { allows: () => false } });
      const [nodeId, host] = [victim.enodeId as NodeId, victim.ip];
      expect(isAllowed({ nodeId, host, port: 1, direction: 'inbound' })).toBe(false);
      expect(records.nodesNamed(victim.enodeId)).toHaveLength(1);
    }
  });
});
