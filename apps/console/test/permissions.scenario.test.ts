import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_NODE, encodeOperation, type PermissionOperation } from '@tetrad/node-permission-contracts';
import { until } from '@tetrad/testkit';
import { PermissionClient } from '../../node/test/permission-client.js';
import {
  ADMIN,
  BANKER,
  GUEST,
  NETWORK,
  OTHER_ADMIN,
  UNHELD,
  foreseenAddresses,
  startPermissioned,
} from '../../node/test/permissioned-network.js';
import { startNode, type RunningNode } from '../../node/test/running-node.js';
import { BANK_NODE } from '../../node/test/rpc/permissions/enodes.js';
import { enodeOf } from '../../node/test/validator-network.js';
import { orgDetailsSchema, explanationSchema } from '../page/src/api/permission-shapes.js';
import { enforcementOf, nodeElsewhere } from '../page/src/permissions/network-admins.js';
import { barriers, describeWithBrowser, hasBrowser, record, show, useBrowser } from './browser.js';
import { startConsole, type RunningConsole } from './running-console.js';
import { testPermissionWrites } from './permissions/write-tests.js';
import { pictureViews } from './view-pictures.js';

const describeShown = describeWithBrowser('permissions in the console');
const browser = useBrowser();

const SCRIPT = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
/** Right to left from here on, a character of no width, and a byte that is not UTF-8. */
const HOSTILE = '\u202eKNAB\u200b\udcff';

let node: RunningNode;
let plain: RunningNode;
let console: RunningConsole;

beforeAll(async () => {
  if (!hasBrowser) return;
  [node, plain] = await Promise.all([
    startPermissioned('v2', { emptyBlockPeriodSeconds: 1 }),
    startNode([], { modules: 'eth,chainPermission', emptyBlockPeriodSeconds: 1 }),
  ]);
  await settle(node);
  console = await startConsole([
    { name: 'node0', rpc: node.url },
    { name: 'plain', rpc: plain.url },
    { name: 'gone', rpc: 'http://127.0.0.1:1' },
  ]);
});
afterAll(async () => {
  await console?.stop();
  await Promise.all([node?.stop(), plain?.stop()]);
});

/** An operation that the methods would refuse for its ids, sent to the contracts themselves. */
async function operate(running: RunningNode, operation: PermissionOperation): Promise<void> {
  const data = encodeOperation('v2', operation);
  const to = foreseenAddresses().interface;
  const hash = await running.result<string>('eth_sendTransaction', [
    { from: ADMIN, to, data, gas: '0x500000' },
  ]);
  expect((await running.mined(hash)).status).toBe('0x1');
}

/** Sub-organizations with ids of strangers, a role and an account of each kind, and a proposal that waits. */
async function settle(running: RunningNode): Promise<void> {
  const client = new PermissionClient(running);
  const act = (method: string, ...params: unknown[]) =>
    client.done(`chainPermission_${method}`, params, ADMIN);
  for (const [parentOrgId, orgId] of [
    [NETWORK, SCRIPT],
    [NETWORK, 'OPS'],
    [`${NETWORK}.OPS`, HOSTILE],
  ] as const)
    await operate(running, { name: 'addSubOrg', parentOrgId, orgId, node: NO_NODE });
  await act('addNewRole', NETWORK, 'TRADER', 1, false, false);
  await act('addNewRole', NETWORK, SCRIPT, 5, false, false);
  await act('addAccountToOrg', GUEST, NETWORK, SCRIPT);
  await act('addAccountToOrg', UNHELD, NETWORK, 'TRADER');
  await act('updateAccountStatus', NETWORK, UNHELD, 1);
  await act('addOrg', 'BANK', BANK_NODE, BANKER);
  await until(async () => (await client.orgStatus('BANK')) === 1);
}

const visit = (path: string) => browser.goOn(console.url + path);

/** The element that holds the value of a fact. */
const fact = (page: Page, name: string) =>
  page
    .locator('.facts > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) })
    .getByRole('definition');

describeShown('permissions in the console', () => {
  it('is whole on a desktop and on a phone, without empty tables', async () => {
    const { page, faults } = await visit('/');
    const wrong = await pictureViews(page, console.url, 'permissions', {
      permissions: ['', '?org=BANK', '?org=NETWORK', '?node=plain'].map((query) => `/permissions${query}`),
      explain: ['', '?subject=org&id=BANK', `?subject=account&id=${GUEST}`].map(
        (query) => `/permissions/explain${query}`,
      ),
    });
    expect(wrong).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('changed in the last hour, with the contract that says so, and list nodes that the file does not name', async () => {
    const { page, faults } = await visit('/');
    const changes = page.getByRole('region', { name: /^Events with the names of permission changes/ });
    const proposed = changes.getByRole('row').filter({ hasText: 'OrgPendingApproval' });
    expect(await proposed.getByRole('link').nth(1).getAttribute('title')).toBe(
      foreseenAddresses().orgManager,
    );
    await changes.getByText('RoleCreated').nth(1).waitFor();
    await page.getByText(/^Any contract can log events of these names/).waitFor();
    const unlisted = page.getByRole('region', { name: /^Nodes that are not in the console’s file/ });
    const bank = /@([^/?]+)/.exec(BANK_NODE)?.[1] ?? '';
    const row = unlisted.getByRole('row').filter({ hasText: bank });
    await row.getByText('yes', { exact: true }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('are organizations as a tree, who votes, and what waits for them', async () => {
    const { page, faults } = await visit('/');
    await page.getByRole('link', { name: 'Permissions' }).click();
    const tree = page.getByRole('region', { name: '5 organizations' });
    await tree.getByRole('link', { name: 'BANK' }).waitFor();
    const rows = await tree.getByRole('row').allTextContents();
    expect(rows.slice(1)).toEqual([
      'NETWORK network adminsapproved12',
      expect.stringContaining('└ "NETWORK.<img src=x'),
      '└ NETWORK.OPS approved21',
      '└ "NETWORK.OPS.\\u202eKNAB\\u200b\\udcff" approved30',
      'BANK proposed10',
    ]);
    expect(await fact(page, 'Model').textContent()).toMatch(/^v2/);
    expect(await fact(page, 'Their role').textContent()).toBe('NWADMIN');
    expect(await fact(page, 'In office').getByRole('link').count()).toBe(2);
    expect(await fact(page, 'Proposal').textContent()).toBe('Admit the organization');
    expect(await fact(page, 'Call that approves it').textContent()).toBe(
      `chainPermission_approveOrg("BANK", "${BANK_NODE}", "${BANKER}")`,
    );
    const voters = fact(page, 'Who has to vote').getByRole('link');
    const titles = await voters.evaluateAll((links) => links.map((link) => link.getAttribute('title')));
    expect(titles.sort()).toEqual([ADMIN, OTHER_ADMIN].sort());
    await record(page, 'permissions');
    await page.getByLabel('Only with this text in their ids').fill('ops');
    await page.getByRole('region', { name: '2 organizations' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('approve with the very call that is shown', async () => {
    const { page } = await visit('/permissions');
    const call = (await fact(page, 'Call that approves it').textContent()) ?? '';
    const [, method = '', params = ''] = /^(\w+)\((.*)\)$/.exec(call) ?? [];
    const client = new PermissionClient(node);
    const approve = (from: typeof ADMIN) => client.done(method, JSON.parse(`[${params}]`) as unknown[], from);
    await approve(ADMIN);
    await approve(OTHER_ADMIN);
    await page.reload();
    await page.getByText('Nothing waits for votes.').waitFor();
    await show(page, `${console.url}/permissions?org=BANK`);
    expect(await fact(page, 'Rule').textContent()).toBe('ORG_ACTIVE');
  });

  it('of one organization are its roles, accounts and nodes, with an address of their own', async () => {
    const { page, faults } = await visit('/permissions');
    await page.getByRole('link', { name: NETWORK, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Organization NETWORK' }).waitFor();
    expect(new URL(page.url()).search).toBe('?org=NETWORK');
    const roles = page.getByRole('region', { name: '3 roles' });
    await roles.getByRole('row').filter({ hasText: 'TRADER' }).getByText('transfers (1)').waitFor();
    const accounts = page.getByRole('region', { name: '4 accounts' });
    await accounts.getByRole('row').filter({ hasText: 'TRADER' }).getByText('suspended').waitFor();
    await page
      .getByRole('region', { name: '1 nodes' })
      .getByText(await enodeOf(node))
      .waitFor();
    await accounts.getByRole('row').filter({ hasText: 'TRADER' }).getByRole('link', { name: 'Why?' }).click();
    await page.getByText('ACCOUNT_NOT_ACTIVE').waitFor();
    expect(await fact(page, 'What an admin could do').textContent()).toContain(
      'chainPermission_updateAccountStatus',
    );
    await page.goBack();
    await show(page, `${console.url}/permissions?org=NOWHERE`);
    await page.getByRole('heading', { name: 'No such organization' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('are found by their id, and by nothing that is like it', async () => {
    const { page, faults } = await visit('/');
    const search = page.getByRole('searchbox');
    await search.fill(`${NETWORK}.OPS`);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('org') === `${NETWORK}.OPS`);
    await search.fill('bank');
    await page.keyboard.press('Enter');
    await page.getByText('No node, label or organization has that name').waitFor();
    expect(faults).toEqual([]);
  });

  it('with ids of strangers are text: they run nowhere, and lead where they say', async () => {
    const { page, faults } = await visit('/permissions?org=NETWORK');
    await page.getByRole('region', { name: '3 roles' }).getByText(JSON.stringify(SCRIPT)).waitFor();
    const below = fact(page, 'Directly below').getByRole('link');
    await below.filter({ hasText: '<img' }).click();
    await page.getByRole('heading', { level: 1 }).getByText('<img src=x').waitFor();
    await page.getByText('The organization has no accounts of its own.').waitFor();
    await show(page, `${console.url}/permissions`);
    await page.getByRole('link', { name: /u202eKNAB/ }).click();
    await page.getByRole('heading', { level: 1, name: /^Organization "NETWORK\.OPS\.\\u202eKNAB/ }).waitFor();
    await page.reload();
    expect(await fact(page, 'Rule').textContent()).toBe('ORG_ACTIVE');
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('are explained: the decision, its rule and records, and what an admin could do', async () => {
    const { page, faults } = await visit('/permissions/explain');
    await page.getByText('Ask about an account, a node or an organization.').waitFor();
    await page.getByLabel('Address of the account').fill(GUEST);
    await page.keyboard.press('Tab');
    await page.keyboard.type('d');
    await page.keyboard.press('Tab');
    await page.keyboard.type(BANKER);
    await page.keyboard.press('Enter');
    await page.getByText('ROLE_ACCESS').waitFor();
    expect(new URL(page.url()).search).toBe(`?subject=account&id=${GUEST}&action=deploy&to=${BANKER}`);
    await page.getByText('refused', { exact: true }).waitFor();
    expect(await fact(page, 'What an admin could do').textContent()).toContain('access 2, 3, 6 or 7');
    expect(await fact(page, 'Access').textContent()).toBe('5');
    await page.getByLabel('Action').selectOption('call');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('allowed', { exact: true }).waitFor();
    await page.getByLabel('About').selectOption('a node');
    await page.getByLabel('Enode URL or id of the node').fill('enode://12');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('alert').getByText('id must be an enode URL or 128 hex digits').waitFor();
    expect(faults).toEqual([]);
  });

  it.each([
    ['plain', 'This node enforces no permissions'],
    ['gone', 'gone cannot be reached'],
  ])('of the node %s: %s', async (name, text) => {
    const { page, faults } = await visit(`/permissions?node=${name}`);
    await page.getByText(text).waitFor();
    await show(page, `${console.url}/permissions/explain?subject=org&id=BANK&node=${name}`);
    await page.getByText(text).waitFor();
    expect(faults).toEqual([]);
  });
});

describeShown('changes of permissions in the console', () => testPermissionWrites(() => node, browser));

describe('the model of the permission contracts', () => {
  it('is read from what a node says of an approved node at another address', async () => {
    const first = await startPermissioned('v1', { emptyBlockPeriodSeconds: 1 });
    try {
      for (const [running, model] of [
        [first, 'v1'],
        ...(hasBrowser ? [[node, 'v2'] as const] : []),
      ] as const) {
        const details = await running.result('chainPermission_getOrgDetails', [NETWORK]);
        const url = nodeElsewhere(orgDetailsSchema.parse(details).nodeList);
        const { rule } = explanationSchema.parse(
          await running.result('chainPermission_explain', ['node', url]),
        );
        expect(enforcementOf(rule)).toEqual({ model, isInForce: true });
      }
    } finally {
      await first.stop();
    }
  });
});
