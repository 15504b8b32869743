import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { parseAbi } from 'viem/utils';
import { Interface } from 'ethers/abi';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startNode, type RunningNode } from '../../node/test/running-node.js';
import { chooseFile, section, sendByNode } from './book-page.js';
import { barriers, describeWithBrowser, hasBrowser, record, show, useBrowser } from './browser.js';
import { artifactOf, compileContract, standardInput } from './compiled-contract.js';
import { startConsole, type RunningConsole } from './running-console.js';
import { pictureViews } from './view-pictures.js';

const describeShown = describeWithBrowser('transactions and tokens in the console');
const browser = useBrowser();

const NAME = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
/** Turns the text that follows it, unless it is isolated. */
const SYMBOL = 'CPN\u202e';
const RECIPIENT = `0x${'ab'.repeat(20)}`;

let node: RunningNode;
let console: RunningConsole;
let token: string;
let gallery: string;
const sent = { transfer: '', failed: '', minted: '', refused: '' };
/** Of the creation. */
let height: number;

beforeAll(async () => {
  if (!hasBrowser) return;
  // Receipts have no reasons: the page asks for them.
  node = await startNode(['--address-index', 'true'], { emptyBlockPeriodSeconds: 1 });
  const { abi, evm } = artifactOf(compileContract('Token'));
  const coder = new Interface(abi as never);
  const deploy = coder.encodeDeploy([NAME, SYMBOL, 5_000_000_000n]).slice(2);
  const created = await sendByNode(node, { data: `0x${evm.bytecode.object}${deploy}` });
  token = created.receipt.contractAddress;
  height = Number(created.receipt.blockNumber);
  const transfer = (value: bigint) => coder.encodeFunctionData('transfer', [RECIPIENT, value]);
  sent.transfer = (await sendByNode(node, { to: token, data: transfer(1_500_000n) })).hash;
  sent.failed = (await sendByNode(node, { to: token, data: transfer(6_000_000_000n) })).hash;
  await sendByNode(node, { to: RECIPIENT, value: '0x1' });
  console = await startConsole([{ name: 'node0', rpc: node.url }], [], {
    labels: { [token]: 'Coupons of 2030' },
  });
});

/** Works of ERC-721, of which one is created, and one is refused by an error that no standard has. */
async function openGallery(): Promise<void> {
  const { abi, evm } = artifactOf(compileContract('Gallery'));
  const coder = new Interface(abi as never);
  gallery = (await sendByNode(node, { data: `0x${evm.bytecode.object}` })).receipt.contractAddress;
  const data = coder.encodeFunctionData('mint', [RECIPIENT, 7n]);
  sent.minted = (await sendByNode(node, { to: gallery, data })).hash;
  sent.refused = (await sendByNode(node, { to: gallery, data })).hash;
}
afterAll(async () => {
  await console?.stop();
  await node?.stop();
});

/** Transfers of the token to as many accounts, one each. */
async function sendToMany(count: number): Promise<void> {
  const { abi } = artifactOf(compileContract('Token'));
  const coder = new Interface(abi as never);
  const [from] = node.accounts;
  const hashes: string[] = [];
  for (let index = 0; index < count; index++) {
    const to = `0x${(0xc000 + index).toString(16).padStart(40, '0')}`;
    const request = { from, to: token, gas: '0x186a0', data: coder.encodeFunctionData('transfer', [to, 1n]) };
    hashes.push(await node.result<string>('eth_sendTransaction', [request]));
  }
  for (const hash of hashes) await node.mined(hash);
}

const inputFile = (text: string) => ({
  name: 'input.json',
  mimeType: 'application/json',
  buffer: Buffer.from(text),
});

const visit = (path: string) => browser.goOn(console.url + path);

describeShown('transactions in Chromium', () => {
  it('are listed newest first, with what they do, whether they failed, and when', async () => {
    const { page, faults } = await visit('/');
    await page.getByRole('link', { name: 'Transactions' }).click();
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'new contract' }).waitFor();
    expect(await rows.filter({ hasText: 'transfer' }).count()).toBe(3);
    const texts = await rows.allInnerTexts();
    expect(texts[1]).toMatch(/transfer of coins/);
    expect(texts[2]).toMatch(/transfer\s+failed/);
    expect(texts[3]).toMatch(/transfer\s+\d/);
    expect(texts[4]).toMatch(/new contract/);
    expect(await page.locator('tbody time').count()).toBe(4);
    await record(page, 'transactions');
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('are found below a height, and the page says where it has looked', async () => {
    const { page } = await visit('/transactions?before=1');
    await page.getByText('The blocks 0 to 0 have no transactions.').waitFor();
    await page.getByRole('link', { name: 'Newest' }).click();
    // The newest blocks may have none by now.
    await page.waitForURL((url) => !url.searchParams.has('before'));
    await page
      .getByText(/in the blocks \d+ to \d+|have no transactions/)
      .first()
      .waitFor();
  });
});

describeShown('tokens in Chromium', () => {
  it('are named by what they answer, as text', async () => {
    const { page, faults } = await visit(`/accounts/${token}`);
    await page.getByText('ERC-20:').waitFor();
    await page.locator('dl').getByText(NAME, { exact: true }).waitFor();
    await page.getByText('supply 5,000').waitFor();
    expect(await page.locator('.facts bdi', { hasText: SYMBOL }).count()).toBe(1);
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('have their calls, events, amounts and errors decoded without a file', async () => {
    const { page, faults } = await visit(`/transactions/${sent.transfer}`);
    await page.getByText('Time', { exact: true }).waitFor();
    const logs = section(page, 'Logs');
    await logs.getByText('Transfer(address from, address to, uint256 value)').waitFor();
    await logs.getByText('by the standard ERC-20').waitFor();
    await logs.getByText('1.5').waitFor();
    await section(page, 'Input').getByText('transfer(address to, uint256 value)').waitFor();
    await show(page, `${console.url}/transactions/${sent.failed}`);
    const revert = section(page, 'Reverted with');
    await revert.getByText('ERC20InsufficientBalance(').waitFor();
    await revert.getByText('6000000000').waitFor();
    expect(faults).toEqual([]);
  });
});

describeShown('an account in Chromium', () => {
  it('has its history by the index of the node, with token transfers that others sent', async () => {
    const { page, faults } = await visit(`/accounts/${RECIPIENT}`);
    const history = section(page, 'Transactions');
    await history.getByRole('row').filter({ hasText: 'transfer of coins' }).waitFor();
    const texts = await history.getByRole('table').first().getByRole('row').allInnerTexts();
    expect(texts).toHaveLength(3);
    expect(texts[2]).toMatch(/transfer\s+\d/);
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('that is a contract says who created it, and has older transactions on the next page', async () => {
    const { page } = await visit(`/accounts/${token}?before=${height + 1}`);
    const history = section(page, 'Transactions');
    await history.getByRole('row').filter({ hasText: 'new contract' }).waitFor();
    await history.getByRole('link', { name: 'Newest' }).click();
    await history.getByRole('row').filter({ hasText: 'failed' }).waitFor();
    await page.getByText('Created by', { exact: true }).waitFor();
    expect(await page.locator('dd').filter({ hasText: ' by ' }).getByRole('link').count()).toBe(2);
  });
});

describeShown('holders of a token in Chromium', () => {
  it('are listed with what they have, those with the most first, as far as the reader has them read', async () => {
    const { page, faults } = await visit(`/accounts/${token}`);
    const holders = section(page, 'Holders');
    await holders
      .getByText(
        'All 3 transactions of the token name 2 accounts. 2 have some now, together 100.00% of the supply.',
      )
      .waitFor();
    const rows = await holders.getByRole('row').allInnerTexts();
    expect(rows[1]).toMatch(/4,998\.5.*99\.97%/s);
    expect(rows[2]).toMatch(/1\.5.*0\.03%/s);
    expect(await holders.getByTitle(RECIPIENT).count()).toBe(1);
    await holders.scrollIntoViewIfNeeded();
    await record(page, 'holders');
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

describeShown('sources in Chromium', () => {
  const chosen = (page: Page) => section(page, 'Sources').locator('input[type=file]');

  it('are compiled, compared with the code, and shown; their ABI is used', async () => {
    const { page, faults } = await visit(`/accounts/${token}`);
    const sources = section(page, 'Sources');
    await chosen(page).setInputFiles(inputFile(standardInput('Token')));
    await sources.getByText('verified', { exact: true }).waitFor();
    await sources.getByText('The code is the same to the last byte.').waitFor();
    await sources.getByText('Token.sol').last().click();
    await sources.locator('pre').getByText('contract Token {').waitFor();
    await section(page, 'ABI files').getByText('sources of Token').waitFor();
    await record(page, 'verified');
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('of another contract, and invalid files, are named as such', async () => {
    const { page } = await visit(`/accounts/${token}`);
    const sources = section(page, 'Sources');
    await chosen(page).setInputFiles(inputFile(standardInput('Book')));
    await sources.getByText('No contract of these sources has this code').waitFor();
    const broken = standardInput('Token').replace('contract Token', 'contract <b>');
    await chosen(page).setInputFiles(inputFile(broken));
    await sources.getByText('ParserError').waitFor();
    await chosen(page).setInputFiles(inputFile('{}'));
    await sources.getByText('language: must be "Solidity"').waitFor();
    expect(await sources.locator('pre, b').count()).toBe(0);
  });
});

describeShown('ABI files of the operator in Chromium', () => {
  it('are there for every reader, for the contract of their name, with what is wrong with others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-abis-'));
    const mine = JSON.stringify(parseAbi(['function transfer(address receiver, uint256 coupons)']));
    await writeFile(join(folder, `Coupon.${token}.json`), mine);
    await writeFile(join(folder, 'broken.json'), '[{"type":"function","name":"<img>"}]');
    const other = await startConsole([{ name: 'node0', rpc: node.url }], ['--abi-folder', folder]);
    try {
      const { page, faults } = await browser.open(`${other.url}/transactions/${sent.transfer}`);
      const input = section(page, 'Input');
      await input.getByText('transfer(address receiver, uint256 coupons)').waitFor();
      await input.getByText(`by the ABI file Coupon.${token}.json`).waitFor();
      await page.getByRole('link', { name: 'ABIs' }).click();
      await page.getByText('The operator’s file broken.json: 0.name: must be an identifier').waitFor();
      await page.getByRole('row').filter({ hasText: 'the operator' }).waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(faults).toEqual([]);
    } finally {
      await other.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describeShown('names and works in Chromium', () => {
  it('a label stands for its address in lists, and is found by its name', async () => {
    const { page, faults } = await visit(`/accounts/${RECIPIENT}`);
    await page.getByRole('link', { name: 'Coupons of 2030' }).first().waitFor();
    await page.getByRole('searchbox').fill('coupons OF 2030');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Contract' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/accounts/${token.toLowerCase()}`);
    await page.locator('dd').getByText('Coupons of 2030', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('a token that ERC-165 says is one has transfers by number, and its own errors once its ABI is there', async () => {
    await openGallery();
    const { page, faults } = await visit(`/accounts/${gallery}`);
    await page.getByText('ERC-721:').waitFor();
    await page.getByText('Works of the <b>Gallery</b>', { exact: true }).first().waitFor();
    const moved = page.getByRole('region', { name: /^Tokens that these transactions moved/ });
    expect(await moved.getByRole('row').nth(1).innerText()).toMatch(/created.*ART no\. 7/s);
    await show(page, `${console.url}/transactions/${sent.refused}`);
    const revert = section(page, 'Reverted with');
    await revert.getByText('Neither a standard nor an ABI file').waitFor();
    await page.getByRole('link', { name: 'ABIs' }).click();
    await chooseFile(page, compileContract('Gallery'), 'Gallery.json');
    await page.getByRole('row').filter({ hasText: 'Gallery' }).waitFor();
    await page.goBack();
    await revert.getByText('NotForSale(uint256 tokenId, string reason)').waitFor();
    await revert.getByText('it has an owner').waitFor();
    expect(await page.locator('main b').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('what a transaction moved is in units of the token', async () => {
    const { page } = await visit(`/transactions/${sent.transfer}`);
    const moved = page.getByRole('region', { name: 'As the tokens say' });
    await moved.getByText('1.5').waitFor();
    await moved.getByRole('link', { name: 'Coupons of 2030' }).waitFor();
  });
});

describeShown('every view of the chain', () => {
  it('is whole on a desktop and on a phone, without empty tables', async () => {
    const { page, faults } = await browser.open(console.url);
    const wrong = await pictureViews(page, console.url, 'tokens', {
      network: ['/'],
      blocks: ['/blocks'],
      block: [`/blocks/${height}`, '/blocks/0', '/blocks/999999'],
      transactions: [`/transactions?before=${height + 5}`, '/transactions?before=1'],
      transaction: [sent.transfer, sent.failed, sent.refused].map((hash) => `/transactions/${hash}`),
      account: [token, gallery, RECIPIENT].map((address) => `/accounts/${address}`),
      pool: ['/pool'],
      abis: ['/abis'],
      unknown: ['/nothing'],
    });
    expect(wrong).toEqual([]);
    expect(faults).toEqual([]);
  });
});

// The last one: views of the token have a hundred rows then.
describeShown('holders of a token of many transfers in Chromium', () => {
  it('are read further back', async () => {
    await sendToMany(105);
    const { page, faults } = await browser.open(`${console.url}/accounts/${token}`);
    const holders = section(page, 'Holders');
    await holders.getByText('The newest 99 transactions of the token name 100 accounts.').waitFor();
    await holders.getByRole('button', { name: 'Read further back' }).click();
    await holders.getByText('All 108 transactions of the token name 107 accounts.').waitFor();
    expect(await holders.getByRole('button', { name: 'Read further back' }).count()).toBe(0);
    expect(await holders.getByRole('row').count()).toBe(108);
    expect(faults).toEqual([]);
  });
});
