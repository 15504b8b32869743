import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { reasonOf } from '../../node/test/running-node.js';
import { startTokenChain, type TokenChain } from '../../node/test/token-chain.js';
import { hasBrowser, useBrowser } from './browser.js';

/**
 * The page of Otterscan itself against a node. It is in no registry of packages, so that no test run has it by itself: `TETRAD_OTTERSCAN` names the
 * folder of a build. What the page asks is tested without it in apps/node/test/rpc/standard/otterscan-page.rpc.test.ts.
 */
const FOLDER = process.env['TETRAD_OTTERSCAN'] ?? '';
const isThere = hasBrowser && FOLDER !== '' && existsSync(join(FOLDER, 'index.html'));
if (!isThere)
  process.stderr.write(
    'SKIPPED: the page of Otterscan: TETRAD_OTTERSCAN names no build of it, or no Chromium\n',
  );
const describeShown = isThere ? describe : describe.skip;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

const browser = useBrowser();
let chain: TokenChain;
let files: Server;
let url: string;

beforeAll(async () => {
  if (!isThere) return;
  files = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    if (pathname === '/config.json') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ erigonURL: chain.node.url }));
      return;
    }
    const named = join(FOLDER, normalize(pathname));
    // Every view is drawn by the one document.
    const file = extname(named) !== '' && existsSync(named) ? named : join(FOLDER, 'index.html');
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => files.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  chain = await startTokenChain(['--address-index', 'true', '--cors-origins', url]);
  const search = () => chain.node.call('ots_searchTransactionsBefore', [chain.owner, 0, 25]);
  await until(async () => reasonOf(await search()) === undefined);
});
afterAll(async () => {
  files?.close();
  await chain?.node.stop();
});

async function visit(path: string): Promise<Page> {
  // The page keeps things for the next one, so each test has its own.
  const { page } = await browser.openAnew(url + path);
  return page;
}

/** Waits until the view has all of the texts. */
async function shows(page: Page, texts: readonly (string | RegExp)[]): Promise<void> {
  const body = page.locator('body');
  let missing: readonly (string | RegExp)[] = texts;
  await until(async () => {
    const text = (await body.innerText()).replaceAll(/\s+/g, ' ');
    missing = texts.filter((one) => (typeof one === 'string' ? !text.includes(one) : !one.test(text)));
    return missing.length === 0;
  }).catch((error: unknown) => {
    throw new Error(`the view does not show ${missing.join(', ')}`, { cause: error });
  });
}

describeShown('the page of Otterscan in Chromium', () => {
  it('shows an account with its transactions', async () => {
    const { owner, deployment, transfer, failed } = chain;
    const page = await visit(`/address/${owner}`);
    await shows(page, ['Transactions sent: 3', '3 transactions on this page', deployment, transfer, failed]);
    await shows(page, ['Token (T)', 'OUT', 'Balance: 1,000,000 ETH']);
  });

  it('shows a token with its name and its creator', async () => {
    const page = await visit(`/address/${chain.token}`);
    await shows(page, ['Token (T)', 'Contract creator:', chain.deployment, 'IN', 'Read Contract']);
  });

  it('shows a transaction, what it moved, and what it changed', async () => {
    const page = await visit(`/tx/${chain.transfer}`);
    await shows(page, [
      'Status: Success',
      'Tokens Transferred (1)',
      '0.000000000000001 Token (T)',
      'Logs (1)',
    ]);
    await page.getByRole('tab', { name: 'State Diff' }).or(page.getByText('State Diff')).first().click();
    await shows(page, ['nonce - 1 + 2', '- Raw 0 + Raw 1000']);
  });

  it('shows why a transaction failed, its calls, and where it reverted', async () => {
    const page = await visit(`/tx/${chain.failed}`);
    await shows(page, ['Status: Fail with custom error']);
    await page
      .getByText(/revert trace/i)
      .first()
      .click();
    await shows(page, [/Revert trace: 0x[0-9a-fA-F]{40}/]);
    await page.goto(`${url}/tx/${chain.failed}/trace`);
    await shows(page, [/call Token \(T\)/, '0xa9059cbb']);
  });

  it('finds the transaction of a nonce, and shows a block with its transactions', async () => {
    const number = Number(chain.block.number);
    await shows(await visit(`/address/${chain.owner}?nonce=1`), [chain.transfer, 'Status: Success']);
    await shows(await visit(`/block/${number}`), ['1 transaction in this block', chain.block.hash]);
    await shows(await visit(`/block/${number}/txs`), ['A total of 1 transaction found', chain.transfer]);
  });
});
