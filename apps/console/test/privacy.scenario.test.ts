import { Interface } from 'ethers/abi';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FaultyProxy, until } from '@tetrad/testkit';
import { bytesFromHex } from '@tetrad/types';
import type { PrivacyNetwork } from '../../node/test/privacy-network.js';
import {
  ExtensionClient,
  startExtensionNetwork,
} from '../../node/test/rpc/chainExtension/extension-client.js';
import { signRestricted } from '../../node/test/rpc/privacy/restricted-transaction.js';
import { CHAIN_ID } from '../../node/test/running-node.js';
import { barriers, describeWithBrowser, hasBrowser, record, useBrowser } from './browser.js';
import { startConsole, type RunningConsole } from './running-console.js';
import { pictureViews } from './view-pictures.js';

const describeShown = describeWithBrowser('privacy in the console');
const browser = useBrowser();

/** Reverts with its calldata, and the code that deploys it. */
const REVERTER = '0x69366000600037366000fd600052600a6016f3';
/** LOG0 of nothing, then STOP as the code. */
const LOGS = '0x60006000a060016000f3';
const SCRIPT = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
const REVERT = new Interface(['error Error(string)']).encodeErrorResult('Error', [SCRIPT]);

/** Places of nodes: the first sends privacy markers, the second private transactions, the third is a party to neither. */
const [MARKING, SENDING, OUTSIDE] = [0, 1, 2] as const;

let network: PrivacyNetwork;
let client: ExtensionClient;
let link: FaultyProxy;
let console: RunningConsole;
/** Hashes of transactions. */
const sent = { failed: '', created: '', restricted: '' };
let contract: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  network = await startNetwork();
  client = new ExtensionClient(network);
  await transact();
  console = await startConsole([
    { name: 'bank-a', rpc: client.nodeAt(MARKING).url },
    { name: 'bank-b', rpc: client.nodeAt(SENDING).url },
    { name: SCRIPT, rpc: client.nodeAt(OUTSIDE).url },
    { name: 'gone', rpc: 'http://127.0.0.1:1' },
  ]);
});
afterAll(async () => {
  await console?.stop();
  await network?.stop();
  await link?.close();
});

/** Three nodes with a manager each; the link of the third one to its manager can be cut. */
async function startNetwork(): Promise<PrivacyNetwork> {
  let target = 0;
  link = await FaultyProxy.open({ port: () => target });
  return startExtensionNetwork(3, {
    modules: 'eth,admin,chainExtension,eea,priv,explorer',
    flags: ['--revert-reason', 'true'],
    flagsOf: (index) =>
      index === MARKING
        ? ['--privacy-markers', 'true', '--address-index']
        : index === OUTSIDE
          ? ['--private-state-wait', '5s']
          : [],
    urlOf: (index, managers) => {
      const url = managers[index]?.url ?? '';
      if (index !== OUTSIDE) return url;
      target = Number(new URL(url).port);
      return `http://127.0.0.1:${link.port}`;
    },
  });
}

/** One private transaction of each kind between the first two nodes, and an extension that waits for the third. */
async function transact(): Promise<void> {
  const mined = async (index: number, request: Parameters<ExtensionClient['send']>[1]) => {
    const { result, error } = await client.send(index, request);
    if (error !== undefined) throw new Error(error.message);
    const hash = result as string;
    return { hash, receipts: await client.minedAll({ result: hash }) };
  };
  const { hash } = await mined(MARKING, { data: REVERTER, parties: [SENDING] });
  const behind = await client
    .nodeAt(MARKING)
    .result<{ contractAddress: string }>('eth_getPrivateTransactionReceipt', [hash]);
  sent.failed = (await mined(MARKING, { to: behind.contractAddress, data: REVERT, parties: [SENDING] })).hash;
  const created = await mined(SENDING, { data: LOGS, parties: [MARKING], privacyFlag: 1 });
  sent.created = created.hash;
  contract = created.receipts[SENDING]?.contractAddress ?? '';
  sent.restricted = await sendRestricted();
  await client.begin(SENDING, OUTSIDE, contract);
}

async function sendRestricted(): Promise<string> {
  const recipients = [client.key(SENDING)];
  const content = { nonce: 0n, chainId: BigInt(CHAIN_ID), data: bytesFromHex(LOGS), recipients };
  const raw = signRestricted({ ...content, privateFrom: client.key(MARKING) }, Buffer.alloc(32, 0x61));
  const answer = await client.nodeAt(MARKING).call('eea_sendRawTransaction', [raw]);
  await client.minedAll(answer);
  return answer.result as string;
}

const visit = (path: string) => browser.open(console.url + path);

const side = (page: Page, name: string) => page.getByRole('region', { name: `As ${name} sees it` });
async function expectLoaded(page: Page): Promise<void> {
  await until(async () => (await page.getByText('Loading…').count()) === 0);
}

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
      'private-contract': [`/privacy/${contract}?node=bank-b`],
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
    await page.goto(`${console.url}/privacy/?node=bank-b`);
    const extensions = page.getByRole('region', { name: 'Under way at this node' });
    await extensions.getByText(client.key(OUTSIDE)).waitFor();
    await extensions.getByRole('link').first().click();
    expect(new URL(page.url()).pathname).toBe(`/privacy/${contract}`);
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
    await page.goto(`${console.url}/privacy?before=${Number(blockNumber)}`);
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
    await page.goto(console.url + (await upTo(sent.created)));
    await row(sent.created).getByText('a new one').waitFor();
    await page.goto(`${console.url}/privacy?node=bank-b&before=1`);
    await page.getByText('These blocks have no private transaction.').waitFor();
    const box = page.getByLabel('Private contract or transaction');
    await box.fill('anything');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the address of a contract or the hash of a transaction.').waitFor();
    await box.fill(sent.created);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Private transaction' }).waitFor();
    await page.goto(`${console.url}/transactions/${sent.created}`);
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
    await page.goto(`${console.url}/privacy/${sent.created}?beside=${encodeURIComponent(SCRIPT)}`);
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
    await side(page, SCRIPT).getByText('This node is not a party').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows flag, parties and extension of a contract, as each of two nodes may know them', async () => {
    const { page, faults } = await visit(
      `/privacy/${contract}?node=bank-b&beside=${encodeURIComponent(SCRIPT)}`,
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
    const { page, faults } = await visit(`/accounts/${contract}?node=bank-b`);
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

  it.each([
    ['/privacy', 'Privacy'],
    ['/privacy/contract', 'Private contract'],
    ['/privacy/transaction', 'Private transaction'],
  ])('%s has no barriers, light or dark, and fits a phone', async (path, title) => {
    const real = path.replace('contract', contract).replace('transaction', sent.failed);
    const { page } = await visit(real);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expectLoaded(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, barriers: await barriers(page) }).toEqual({ colorScheme, barriers: [] });
    }
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  it('says where a node cannot be asked, and what there is not', async () => {
    const { page, faults } = await visit('/privacy?node=gone');
    await page.getByRole('alert').getByText('gone cannot be reached').first().waitFor();
    await page.goto(`${console.url}/privacy/0x${'12'.repeat(32)}`);
    await page.getByText('This node has no such transaction.').first().waitFor();
    await page.goto(`${console.url}/privacy/${client.account(MARKING)}?beside=`);
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
    await page.goto(`${console.url}/privacy/${result as string}?beside=${encodeURIComponent(SCRIPT)}`);
    await side(page, SCRIPT).getByText('The node refuses to say: private state is paused').waitFor();
    link.heal();
    const outside = client.nodeAt(OUTSIDE);
    await until(async () => (await outside.call('eth_getTransactionReceipt', [result])).error === undefined);
    await page.goto(`${console.url}/privacy`);
    await row.getByText('follows the chain').waitFor();
    expect(faults).toEqual([]);
  });
});
