import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WRITES_OF_KIND } from '@tetrad/console';
import { parseAddress } from '@tetrad/types';
import { PermissionClient } from '../../../node/test/permission-client.js';
import {
  ADMIN,
  BANKER,
  NETWORK,
  NEWCOMER,
  OTHER_ADMIN,
  TELLER,
} from '../../../node/test/permissioned-network.js';
import { BANK_NODE, SPARE_NODE } from '../../../node/test/rpc/permissions/enodes.js';
import type { RunningNode } from '../../../node/test/running-node.js';
import { barriers, barriersOf, record, type TestBrowser } from '../browser.js';
import { startWritingConsole, type WritingConsole } from '../writing-console.js';

const ROLE = '2 <img src=x onerror=alert(1)>"><script>alert(2)</script>';
const ORG = 'LENDER';
/** An account without any role at first. */
const TRADER = parseAddress(`0x${'7d'.repeat(20)}`);

let client: PermissionClient;
let console: WritingConsole;
let page: Page;
let faults: string[];

const dialog = () => page.getByRole('dialog');
const effect = () => dialog().getByRole('region', { name: 'Effect' });
const foreseen = () => effect().getByRole('region', { name: / permissions change, as of block / });

/** What the dialog says that it sends. */
async function request(): Promise<{ method: string; params: unknown[] }> {
  const text = await dialog().getByRole('region', { name: 'Request, as it is sent' }).textContent();
  return JSON.parse(text ?? '') as { method: string; params: unknown[] };
}

/** Sends what the dialog asks about, and waits until it is in a block. */
async function confirm(): Promise<void> {
  await dialog().getByRole('button', { name: 'Send it' }).click();
  await dialog().getByText('In a block.').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).click();
  await dialog().waitFor({ state: 'detached' });
}

/** Chooses an action of the organization, fills in its form, and asks for it. */
async function ask(title: string, fill: (form: Locator) => Promise<void>): Promise<void> {
  const form = page.getByRole('form', { name: 'Change' });
  await form.getByRole('combobox', { name: 'Change', exact: true }).selectOption(title);
  await fill(form);
  await form.getByRole('button', { name: `${title}…` }).click();
  await dialog().waitFor();
}

const accountRow = (id: string) =>
  page
    .getByRole('region', { name: /accounts$/ })
    .getByRole('row')
    .filter({ has: page.getByTitle(id) });

/** The token again: a page that is loaded anew has forgotten it. */
async function enter(): Promise<void> {
  await page.getByLabel('Token').fill(await console.tokenFor('*', ...Object.keys(WRITES_OF_KIND.node)));
  await page.keyboard.press('Enter');
}

/** The proposal of the other part, where that has not run to its end. */
async function approveWhatWaits(): Promise<void> {
  if ((await client.orgStatus('BANK')) !== 1) return;
  for (const admin of [ADMIN, OTHER_ADMIN])
    await client.done('chainPermission_approveOrg', ['BANK', BANK_NODE, BANKER], admin);
}

/** Decides what an earlier part has proposed; adds a role, an account and organizations of its own. */
export function testPermissionWrites(node: () => RunningNode, browser: TestBrowser): void {
  beforeAll(async () => {
    client = new PermissionClient(node());
    await approveWhatWaits();
    console = await startWritingConsole([{ name: 'node0', rpc: node().url }]);
    ({ page, faults } = await browser.openForAll(`${console.url}/permissions?org=${NETWORK}`));
    await enter();
  });
  afterAll(() => console?.stop());

  it('add a role and an account, and say before what the account may do then', async () => {
    await page.getByLabel('Changes are signed by').selectOption(ADMIN);
    await ask('Add a role', async (form) => {
      await form.getByRole('textbox', { name: 'Role' }).fill(ROLE);
      await form.getByRole('combobox', { name: 'Access' }).selectOption('transfers (1)');
    });
    expect(await request()).toMatchObject({
      method: 'chainPermission_addNewRole',
      params: [NETWORK, ROLE, 1, false, false, { from: ADMIN }],
    });
    await confirm();
    await ask('Add an account', async (form) => {
      await form.getByRole('textbox', { name: 'Account' }).fill(TRADER);
      await form.getByRole('combobox', { name: 'Role' }).selectOption(ROLE);
    });
    await foreseen().getByRole('row').filter({ hasText: 'transfer' }).getByText('allowed').waitFor();
    await record(page, 'preview');
    expect(await barriers(page)).toEqual([]);
    await confirm();
    expect(await client.account(TRADER)).toMatchObject({ roleId: ROLE, status: 2 });
    await accountRow(TRADER).getByText('active').waitFor();
    expect(await page.locator('img, main script, dialog script').count()).toBe(0);
  });

  it('suspend and denylist an account, and recover it by the votes of the admins', async () => {
    const press = async (label: string) => {
      await accountRow(TRADER)
        .getByRole('button', { name: `${label}…` })
        .click();
      await dialog().waitFor();
    };
    await press('Suspend');
    await foreseen().getByRole('row').filter({ hasText: 'transfer' }).getByText('refused').waitFor();
    await confirm();
    expect(await client.accountStatus(TRADER)).toBe(4);
    await press('Activate');
    await confirm();
    await press('Denylist');
    await confirm();
    await press('Recover');
    await effect()
      .getByText(/^The network admins vote on it/)
      .waitFor();
    await confirm();
    await page.goto(`${console.url}/permissions`);
    await enter();
    for (const admin of [ADMIN, OTHER_ADMIN]) {
      await page.getByLabel('Changes are signed by').selectOption(admin);
      await page.getByRole('button', { name: 'Approve…' }).click();
      await foreseen().getByRole('row').filter({ hasText: 'transfer' }).getByText('allowed').waitFor();
      expect(await request()).toMatchObject({
        method: 'chainPermission_approveBlackListedAccountRecovery',
        params: [NETWORK, TRADER, { from: admin }],
      });
      await confirm();
    }
    await page.getByText('Nothing waits for votes.').waitFor();
    expect(await client.accountStatus(TRADER)).toBe(2);
  });

  it('propose an organization, approve it, and suspend it', async () => {
    const form = page.getByRole('form', { name: 'Propose an organization' });
    await form.getByLabel('Id of the organization').fill(ORG);
    await form.getByLabel('Enode URL of its first node').fill(SPARE_NODE);
    await form.getByLabel('Account of its admin').fill(TELLER);
    await form.getByRole('button').click();
    await confirm();
    for (const admin of [ADMIN, OTHER_ADMIN]) {
      await page.getByLabel('Changes are signed by').selectOption(admin);
      await page.getByRole('button', { name: 'Approve…' }).click();
      await confirm();
    }
    expect(await client.orgStatus(ORG)).toBe(2);
    await page.getByRole('link', { name: ORG, exact: true }).first().click();
    await page.getByRole('button', { name: 'Suspend…' }).first().click();
    await foreseen().getByText('refused').first().waitFor();
    await confirm();
    expect(await client.orgStatus(ORG)).toBe(3);
  });

  it('are refused by the node with its own words, and by the form where it can', async () => {
    await page.goto(`${console.url}/permissions?org=${NETWORK}.OPS`);
    await enter();
    await page.getByLabel('Changes are signed by').selectOption(NEWCOMER);
    await ask('Add a sub-organization', async (form) => {
      await form.getByRole('textbox', { name: 'Id, without that of its parent' }).fill('DESK');
    });
    await dialog().getByRole('button', { name: 'Send it' }).click();
    await dialog()
      .getByText(/^Refused, nothing was changed: /)
      .waitFor();
    await page.keyboard.press('Escape');
    expect(await client.orgStatus(`${NETWORK}.OPS.DESK`)).toBeUndefined();
    await page.getByLabel('Changes are signed by').selectOption(ADMIN);
    await ask('Add a sub-organization', async (form) => {
      await form.getByRole('textbox', { name: 'Id, without that of its parent' }).fill('DESK');
    });
    await confirm();
    expect(await client.orgStatus(`${NETWORK}.OPS.DESK`)).toBe(2);
    const form = page.getByRole('form', { name: 'Change' });
    await form.getByRole('combobox', { name: 'Change', exact: true }).selectOption('Add an account');
    await form.getByRole('textbox', { name: 'Account' }).fill('0x12');
    await form.getByRole('button', { name: 'Add an account…' }).click();
    expect(await dialog().count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('have no barriers, light or dark, and fit a phone', async () => {
    expect(await barriersOf(page)).toEqual([]);
  });
}
