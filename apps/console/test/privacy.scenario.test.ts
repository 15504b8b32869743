import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until, type FaultyProxy } from '@tetrad/testkit';
import type { ExtensionClient } from '../../node/test/rpc/chainExtension/extension-client.js';
import { describeWithBrowser, hasBrowser, record, show, useBrowser } from './browser.js';
import { testAgreement } from './privacy/agreement-tests.js';
import { testExtensionWrites } from './privacy/extension-write-tests.js';
import {
  LOGS,
  MARKING,
  OUTSIDE,
  SCRIPT,
  SENDING,
  startThreeBanks,
  type ThreeBanks,
} from './privacy/three-banks.js';
import type { RunningConsole } from './running-console.js';
import { pictureViews } from './view-pictures.js';

const describeShown = describeWithBrowser('privacy in the console');
const browser = useBrowser();

let banks: ThreeBanks;
let client: ExtensionClient;
let link: FaultyProxy;
let console: RunningConsole;
let sent: ThreeBanks['sent'];

beforeAll(async () => {
  if (!hasBrowser) return;
  banks = await startThreeBanks();
  ({ client, link, console, sent } = banks);
});
afterAll(() => banks?.stop());

const visit = (path: string) => browser.goOn(console.url + path);

const side = (page: Page, name: string) => page.getByRole('region', { name: `As ${name} sees it` });

const factOf = (place: ReturnType<typeof side>, name: string) =>
  place
    .locator('.facts > div')
    .filter({ has: place.page().getByRole('term').getByText(name, { exact: true }) })
    .getByRole('definition');

describeShown('privacy in the console', () => {
  it('is whole on a desktop and on a phone, without empty tables', async () => {
    const { page, faults } = await visit('/');
    const wrong = await pictureViews(page, console.url, 'privacy', {
      privacy: ['/privacy'],
      'private-contract': [`/privacy/${sent.contract}?node=bank-b`],
      'private-transaction': [sent.failed, sent.created, sent.restricted].map((hash) => `/privacy/${hash}`),
    });
    expect(wrong).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('lists private states that follow, and extensions at the nodes that have a part in them', async () => {
    const { page, faults } = await visit('/');
    await page.getByRole('link', { name: 'Privacy' }).click();
    const states = page.getByRole('region', { name: 'Private states of the nodes' });
    await states.getByText('follows the chain').nth(2).waitFor();
    await states.getByRole('row').filter({ hasText: 'gone' }).getByText('down').waitFor();
    await page.getByText('No extension is under way of which this node').waitFor();
    await show(page, `${console.url}/privacy/?node=bank-b`);
    const extensions = page.getByRole('region', { name: 'Under way at this node' });
    await extensions.getByText(client.key(OUTSIDE)).waitFor();
    await extensions.getByRole('link').first().click();
    expect(new URL(page.url()).pathname).toBe(`/privacy/${sent.contract}`);
    expect(faults).toEqual([]);
  });

  it('lists private transactions of the whole chain from the index of a node', async () => {
    const { page, faults } = await visit('/privacy');
    const listed = page.getByRole('region', { name: /of the private transactions of the chain/ });
    const kindOf = async (hash: string) => {
      const row = listed.getByRole('row').filter({ has: page.getByTitle(hash) });
      return row.getByRole('cell').nth(3).innerText();
    };
    expect(await kindOf(sent.restricted)).toBe('privacy marker');
    expect(await kindOf(sent.created)).toBe('private');
    // The first of the chain: there is nothing older, and nothing public is listed.
    expect(await kindOf(sent.failed)).toBe('privacy marker');
    expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0);
    await record(page, 'private-transactions');
    const { blockNumber } = await client.nodeAt(MARKING).mined(sent.restricted);
    await show(page, `${console.url}/privacy?before=${Number(blockNumber)}`);
    await listed.getByTitle(sent.created).waitFor();
    expect(await listed.getByTitle(sent.restricted).count()).toBe(0);
    await page.getByRole('link', { name: 'Newest' }).click();
    await listed.getByTitle(sent.restricted).waitFor();
    expect(faults).toEqual([]);
  });

  it('finds private transactions in the blocks, and what the reader names', async () => {
    const upTo = async (hash: string) => {
      const { blockNumber } = await client.nodeAt(MARKING).mined(hash);
      return `/privacy?node=bank-b&before=${Number(blockNumber) + 1}`;
    };
    const { page, faults } = await visit(await upTo(sent.restricted));
    await page.getByText('this node keeps no index by address').waitFor();
    const listed = page.getByRole('region', { name: / in the blocks / });
    const row = (hash: string) => listed.getByRole('row').filter({ has: page.getByTitle(hash) });
    await row(sent.restricted).getByText('privacy marker').waitFor();
    await show(page, console.url + (await upTo(sent.created)));
    await row(sent.created).getByText('a new one').waitFor();
    await show(page, `${console.url}/privacy?node=bank-b&before=1`);
    await page.getByText('These blocks have no private transaction.').waitFor();
    const box = page.getByLabel('Private contract or transaction');
    await box.fill('anything');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the address of a contract or the hash of a transaction.').waitFor();
    await box.fill(sent.created);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Private transaction' }).waitFor();
    await show(page, `${console.url}/transactions/${sent.created}`);
    await page.getByRole('link', { name: 'What nodes have of it' }).click();
    expect(new URL(page.url()).pathname).toBe(`/privacy/${sent.created}`);
    expect(faults).toEqual([]);
  });

  it('shows the private receipt beside the public one, and that an outsider has the public one alone', async () => {
    const { page, faults } = await visit(`/privacy/${sent.failed}`);
    await page.getByLabel('Beside').selectOption(SCRIPT);
    const [party, outsider] = [side(page, 'bank-a'), side(page, SCRIPT)];
    await outsider.getByText('This node is not a party: it has nothing but the marker.').waitFor();
    expect(await factOf(party, 'Status').allTextContents()).toEqual(['succeeded', 'failed']);
    expect(await factOf(outsider, 'Status').allTextContents()).toEqual(['succeeded']);
    expect(await factOf(party, 'Reason').textContent()).toBe(SCRIPT);
    expect(await page.locator('img, main script').count()).toBe(0);
    await record(page, 'privacy');
    await show(page, `${console.url}/privacy/${sent.created}?beside=${encodeURIComponent(SCRIPT)}`);
    await outsider.getByRole('heading', { name: 'Receipt' }).waitFor();
    expect(await factOf(party, 'Logs').textContent()).toBe('1');
    expect(await factOf(outsider, 'Logs').textContent()).toBe('0');
    await party.getByText('What it logged').click();
    await party.getByRole('term').getByText('Topics').waitFor();
    expect(await outsider.getByText('What it logged').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows a restricted transaction to its participants', async () => {
    const { page, faults } = await visit(`/privacy/${sent.restricted}?beside=${encodeURIComponent(SCRIPT)}`);
    const party = side(page, 'bank-a');
    expect(await factOf(party, 'Sender’s key').textContent()).toBe(client.key(MARKING));
    expect(await factOf(party, 'Recipients’ keys').textContent()).toBe(client.key(SENDING));
    await side(page, SCRIPT).getByText('This node is not a party: it has nothing').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows flag, parties and extension of a contract, as each of two nodes may know them', async () => {
    const { page, faults } = await visit(
      `/privacy/${sent.contract}?node=bank-b&beside=${encodeURIComponent(SCRIPT)}`,
    );
    const [party, recipient] = [side(page, 'bank-b'), side(page, SCRIPT)];
    expect(await factOf(party, 'Protection').textContent()).toBe('counterparty protection (1)');
    const parties = await factOf(party, 'Parties that its manager knows')
      .getByRole('listitem')
      .allTextContents();
    expect(parties.sort()).toEqual([client.key(MARKING), client.key(SENDING)].sort());
    expect(await factOf(recipient, 'State').textContent()).toMatch(/^no code here/);
    expect(await factOf(recipient, 'This node').textContent()).toBe('is the recipient');
    const votes = factOf(recipient, 'Votes').getByRole('listitem');
    await votes.filter({ hasText: 'has to vote' }).waitFor();
    expect(await factOf(recipient, 'Parties say').textContent()).toContain('stated by the initiator');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByLabel('Beside').selectOption('no other node');
    await recipient.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('offers no wallet for a private contract, and calls it as the node sees it', async () => {
    const { page, faults } = await visit(`/accounts/${sent.contract}?node=bank-b`);
    await page.getByText('private contract of this node').waitFor();
    const abi = JSON.stringify([{ type: 'function', name: 'go', inputs: [], outputs: [] }]);
    const file = { name: 'go.json', mimeType: 'application/json', buffer: Buffer.from(abi) };
    await page.locator('input[type=file][multiple]').setInputFiles(file);
    await page.getByRole('button', { name: 'Prepare the call' }).click();
    await page.getByText('A wallet of the browser cannot send privately').waitFor();
    await page.getByRole('button', { name: 'Try it without sending' }).click();
    await page.getByText('go returns ()').waitFor();
    expect(await page.getByText('Send it by a wallet').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('says where a node cannot be asked, and what there is not', async () => {
    const { page, faults } = await visit('/privacy?node=gone');
    await page.getByRole('alert').getByText('gone cannot be reached').first().waitFor();
    await show(page, `${console.url}/privacy/0x${'12'.repeat(32)}`);
    await page.getByText('This node has no such transaction.').first().waitFor();
    await show(page, `${console.url}/privacy/${client.account(MARKING)}?beside=`);
    await page.getByText('no code here: an account, or a private contract of other parties').waitFor();
    expect(faults).toEqual([]);
  });

  it('says how far a private state is behind, and that its manager is the reason', async () => {
    const { page, faults } = await visit('/privacy');
    const row = page
      .getByRole('region', { name: 'Private states of the nodes' })
      .getByRole('row')
      .filter({ hasText: SCRIPT });
    await row.getByText('follows the chain').waitFor();
    link.set({ kind: 'cut' });
    const { result } = await client.send(SENDING, { data: LOGS, parties: [MARKING] });
    await client.nodeAt(MARKING).mined(result as string);
    await page.reload();
    await row.getByText(/^\d+ blocks behind$/).waitFor();
    await row.getByText(/private transaction manager is not ready/).waitFor();
    await show(page, `${console.url}/privacy/${result as string}?beside=${encodeURIComponent(SCRIPT)}`);
    await side(page, SCRIPT).getByText('The node refuses to say: private state is paused').waitFor();
    link.heal();
    const outside = client.nodeAt(OUTSIDE);
    await until(async () => (await outside.call('eth_getTransactionReceipt', [result])).error === undefined);
    await show(page, `${console.url}/privacy`);
    await row.getByText('follows the chain').waitFor();
    expect(faults).toEqual([]);
  });
});

describeShown('parties of private transactions', () => testAgreement(() => banks, browser));
describeShown('extensions that are decided in the console', () => testExtensionWrites(() => banks, browser));
