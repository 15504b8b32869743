import { text } from 'node:stream/consumers';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service';
import { Interface } from 'ethers/abi';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startNode, type RunningNode } from '../../node/test/running-node.js';
import { barriersOf, describeWithBrowser, hasBrowser, record, show, useBrowser } from './browser.js';
import { startConsole, type RunningConsole } from './running-console.js';

const describeShown = describeWithBrowser('the views of the console');
const browser = useBrowser();

/** Reverts with its calldata, and the code that deploys it. */
const REVERTER = '0x69366000600037366000fd600052600a6016f3';
const SCRIPT = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
const REVERT = new Interface(['error Error(string)']).encodeErrorResult('Error', [SCRIPT]);

let node: RunningNode;
let door: Server;
let console: RunningConsole;
let contract: string;
let failed: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  node = await startNode(['--revert-reason', 'true'], { emptyBlockPeriodSeconds: 1 });
  const [from] = node.accounts;
  const send = async (request: object) => {
    const hash = await node.result<string>('eth_sendTransaction', [{ from, gas: '0x30d40', ...request }]);
    return { hash, receipt: await node.mined(hash) };
  };
  contract = (await send({ data: REVERTER })).receipt.contractAddress;
  failed = (await send({ to: contract, data: REVERT })).hash;
  door = await openDoor(node.url);
  const address = await node.result<string>('ibft_nodeAddress');
  console = await startConsole([
    { name: 'node0', rpc: node.url, address },
    { name: SCRIPT, rpc: `http://127.0.0.1:${(door.address() as AddressInfo).port}` },
    { name: 'gone', rpc: 'http://127.0.0.1:1' },
  ]);
});
afterAll(async () => {
  await console?.stop();
  door?.close();
  await node?.stop();
});

/** A second way to the node, which can be closed, and which answers with a script where the node says its client. */
async function openDoor(url: string): Promise<Server> {
  const server = createServer((request, response) => {
    const onward = httpRequest(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500);
        void text(answer).then((body) => {
          const client = JSON.stringify(`Tetrad/${SCRIPT}`);
          response.end(body.replace(/"Tetrad\/[^"]*"/g, () => client));
        });
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const visit = (path: string) => browser.goOn(console.url + path);

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

describeShown('the console in Chromium', () => {
  it('shows nodes, blocks and validators, and which node is down', async () => {
    const { page, faults } = await visit('/');
    const nodes = page.getByRole('region', { name: 'Nodes' });
    await nodes.getByText('up', { exact: true }).first().waitFor();
    await nodes.getByText('down: gone cannot be reached').waitFor();
    const row = nodes.getByRole('row').filter({ hasText: 'node0' });
    expect(await row.textContent()).toContain('Tetrad');
    await nodes.getByRole('cell').locator('bdi').getByText(`Tetrad/${SCRIPT}`).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.getByRole('img', { name: /^3 nodes, .* \u2068gone\u2069 cannot be reached\.$/ }).waitFor();
    await page.getByText(/^The last \d+ blocks, up to \d+: 2 transactions\.$/).waitFor();
    const validators = page.getByRole('region', { name: '1 validator' });
    expect(await validators.getByRole('row').nth(1).textContent()).toContain('node0');
    await page.getByText(/^Read: \d+ blocks, \d+ to \d+, of /).waitFor();
    const created = page.getByRole('region', { name: /^Contracts created in the newest/ });
    await created.getByRole('row').nth(1).waitFor();
    expect(await created.getByRole('link').nth(1).getAttribute('title')).toBe(contract);
    await page.getByText('No permission changed.').waitFor();
    await record(page, 'network');
    expect(await barriersOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('leads from blocks to a transaction, its block and its sender, each with an address of its own', async () => {
    const { page, faults } = await visit('/blocks');
    expect(await heading(page)).toBe('Blocks');
    const { blockNumber } = await node.mined(failed);
    const number = String(Number(blockNumber));
    await show(page, `${console.url}/blocks/${number}`);
    await page.getByRole('region', { name: '1 transaction' }).getByRole('link').first().click();
    await page.getByText('failed').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/transactions/${failed}`);
    await page.getByRole('button', { name: 'Execute it again to see its calls' }).click();
    await page.getByRole('listitem').filter({ hasText: 'CALL' }).waitFor();
    await record(page, 'transaction');
    await page.getByRole('link', { name: number, exact: true }).click();
    expect(await heading(page)).toBe(`Block ${number}`);
    await page.goBack();
    expect(await heading(page)).toBe('Transaction');
    await show(page, `${console.url}/accounts/${contract}`);
    await page.getByText('10 bytes').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows what strangers choose as text: names of nodes and reasons of reverts run nowhere', async () => {
    const { page, faults } = await visit(`/transactions/${failed}`);
    await page.getByText(`failed: ${SCRIPT}`).waitFor();
    await show(page, console.url);
    await page.getByRole('cell').getByText(SCRIPT, { exact: true }).waitFor();
    // Names where no bdi can be have a direction of their own.
    const names = await page.locator('option, svg.picture text').allTextContents();
    expect(names).toHaveLength(6);
    for (const name of names) expect(name).toMatch(/^\u2068[^\u2066-\u2069]+\u2069$/);
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('finds blocks, transactions and accounts, and says when there is nothing to find', async () => {
    const { page, faults } = await visit('/');
    const find = async (text: string) => {
      await page.getByRole('searchbox').fill(text);
      await page.keyboard.press('Enter');
    };
    await find('1');
    await page.getByRole('heading', { name: 'Block 1' }).waitFor();
    await find(failed);
    await page.getByRole('heading', { name: 'Transaction' }).waitFor();
    await find(contract);
    await page.getByRole('heading', { name: 'Contract', exact: true }).waitFor();
    await find('anything');
    await page.getByText('No node, label or organization has that name').waitFor();
    await find(' NODE0 ');
    await page.getByText('the account of the key of node node0').waitFor();
    await find(' ');
    await page.getByText('Enter a block number, a hash, an address, or the name').waitFor();
    await find(`0x${'12'.repeat(32)}`);
    await page.getByText('This node knows no block and no transaction of that hash.').waitFor();
    expect(faults).toEqual([]);
  });

  it('asks the node that the reader chooses, and keeps it in the address', async () => {
    const { page } = await visit('/blocks');
    await page.getByLabel('Ask').selectOption('gone');
    await page.getByRole('alert').getByText('gone cannot be reached').waitFor();
    expect(new URL(page.url()).searchParams.get('node')).toBe('gone');
    await page.getByRole('link', { name: 'Pool' }).click();
    expect(new URL(page.url()).searchParams.get('node')).toBe('gone');
    await page.getByLabel('Ask').selectOption('node0');
    await page.getByText('Nothing waits for a block.').waitFor();
  });

  it('says that a node went down while its page is open, and goes on with the others', async () => {
    const { page, faults } = await visit('/');
    const row = page.getByRole('region', { name: 'Nodes' }).getByRole('row').filter({ hasText: SCRIPT });
    await row.getByText('up', { exact: true }).waitFor();
    door.close();
    door.closeAllConnections();
    await row.getByText(/^down: /).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'node0' })
      .first()
      .getByText('up', { exact: true })
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('is used by keyboard: the first stop leads past the links', async () => {
    const { page } = await browser.open(`${console.url}/blocks`);
    await page.getByRole('heading', { name: 'Blocks' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });

  it('asks for a token, and keeps it nowhere but in the page', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-console-token-'));
    const key = createTokenKey();
    await writeFile(join(folder, 'key.pub'), tokenPublicKey(key));
    const guarded = await startConsole(
      [{ name: 'node0', rpc: node.url }],
      ['--auth-jwt-key-file', join(folder, 'key.pub')],
    );
    try {
      const { page } = await browser.open(guarded.url);
      const token = await issueToken(key, { caller: 'reader', permissions: ['*'], lifetimeSeconds: 600 });
      for (const text of ['not.a.token', token]) {
        await page.getByLabel('Token').fill(text);
        await page.getByRole('button', { name: 'Show it' }).click();
      }
      await page.getByRole('heading', { name: 'Network 1337' }).waitFor();
      const kept = await page.evaluate(
        'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])',
      );
      expect(kept).toBe(JSON.stringify([{}, {}, '', `${guarded.url}/`]));
      await page.reload();
      await page.getByRole('heading', { name: 'Token' }).waitFor();
    } finally {
      await guarded.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
