import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ACCOUNT, startSigner } from '../../signer/test/running-signer.js';
import { BLS, SECP, startWallet, type RunningWallet } from '../../wallet/test/running-wallet.js';
import { describeWithBrowser, hasBrowser, record, show, useBrowser } from './browser.js';
import { redemptionOf, startRealRollup, type RealRollup } from './real-rollup.js';
import { startConsole, type RunningConsole } from './running-console.js';
import { pictureViews } from './view-pictures.js';

const describeShown = describeWithBrowser('the views of services');
const browser = useBrowser();

const RECIPIENT = '0x00000000000000000000000000000000000f00d5';
const SCRIPT = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
/** Writes from right to left from here on. */
const OVERRIDE = '\u202e';

let rollup: RealRollup;
let signer: Awaited<ReturnType<typeof startSigner>>;
let wallet: RunningWallet;
let console: RunningConsole;
/** Hash of an operation that is final. */
let final: string;
let publicKey: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  rollup = await startRealRollup();
  signer = await startSigner({ downstreamPort: rollup.node.port });
  const transaction = { from: ACCOUNT, to: RECIPIENT, gas: '0x5208', gasPrice: '0x0', value: '0x0' };
  const { result: hash } = await signer.call('eth_sendTransaction', [transaction]);
  await rollup.node.mined(hash);
  wallet = await startWallet([SECP, BLS]);
  const alice = rollup.user(1);
  await rollup.accept(alice.create());
  await rollup.finalUpTo(1);
  await rollup.depositFor(1, 500n);
  await rollup.finalUpTo(2);
  final = await rollup.accept(redemptionOf(alice, 500n, 2, 1));
  // It waits for the nonce before it.
  await rollup.accept(alice.transferOut(RECIPIENT, 0, 20n, 3));
  await rollup.finalUpTo(3);
  console = await startConsole([{ name: 'node0', rpc: nodeUrl() }], [], {
    rollup: { rpc: rollup.url, contract: rollup.deployed.contract },
    signer: { rpc: signer.url },
    wallet: { rpc: wallet.url, path: '/rpc/v1/coin' },
  });
  const found = await fetch(`${console.url}/api/rollup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ method: 'pazkp_findAccountById', params: [1] }]),
  });
  [
    {
      result: { publicKey },
    },
  ] = (await found.json()) as [{ result: { publicKey: string } }];
});
afterAll(async () => {
  await console?.stop();
  await wallet?.stop();
  await signer?.stop();
  await rollup?.stop();
});

const nodeUrl = () => `http://127.0.0.1:${rollup.node.port}`;

const visit = (path: string, at = console) => browser.goOn(at.url + path);

const fact = (page: Page, name: string) =>
  page
    .locator('dl.facts > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');

describeShown('services in Chromium', () => {
  it('is whole on a desktop and on a phone, without empty tables', async () => {
    const { page, faults } = await visit('/');
    const wrong = await pictureViews(page, console.url, 'services', {
      rollup: ['/rollup'],
      rollupAccount: ['/rollup/accounts/1', '/rollup/accounts/77'],
      rollupOperation: [final, `0x${'12'.repeat(32)}`].map((hash) => `/rollup/operations/${hash}`),
      signing: ['/signing'],
    });
    expect(wrong).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('the rollup: its contract, batches and tokens, and accounts by id and key', async () => {
    const { page, faults } = await visit('/');
    await page.getByRole('link', { name: 'Rollup' }).click();
    await page.getByText('answers', { exact: true }).waitFor();
    await page.getByText('All batches are final.').waitFor();
    const batches = page.getByRole('region', { name: 'The last batches of 3, each accepted with its proof' });
    await batches.getByRole('row').nth(3).waitFor();
    expect(await batches.getByRole('row').nth(1).getByRole('cell').first().textContent()).toBe('3');
    expect(await fact(page, 'Deposits taken').textContent()).toBe('1 of 1');
    expect(await fact(page, 'Accounts').textContent()).toBe('1');
    await page.getByText('No deposit waits.').waitFor();
    const tokens = page.getByRole('region', { name: '1 token' });
    expect(await tokens.getByRole('row').nth(1).textContent()).toBe('0ether1,000,000,000500');
    await record(page, 'rollup');
    const find = async (text: string) => {
      await page.getByLabel('Account id, public key or operation hash').fill(text);
      await page.keyboard.press('Enter');
    };
    await find('Alice');
    await page.getByText(/^Enter an account id/).waitFor();
    await find(`0x${'12'.repeat(64)}`);
    await page.getByText(/^The operator knows no account with that key/).waitFor();
    await find(publicKey);
    await page.getByRole('heading', { name: 'Rollup account 1' }).waitFor();
    expect(await fact(page, 'Public key').textContent()).toBe(publicKey);
    expect(faults).toEqual([]);
  });

  it('an account of the rollup: final balances, operations, and how far each has come', async () => {
    const { page, faults } = await visit('/rollup/accounts/1');
    const balances = page.getByRole('region', { name: 'Final balances' });
    expect(await balances.getByRole('row').nth(1).textContent()).toBe('ether500');
    expect(await fact(page, 'Final nonce').textContent()).toBe('1');
    expect(await fact(page, 'Redeemed up to').textContent()).toBe('order 0 of batch 2');
    const operations = page.getByRole('region', { name: 'Operations, highest nonce first' });
    const [first, second] = [1, 2].map((at) => operations.getByRole('row').nth(at));
    expect(await first?.textContent()).toMatch(/^3.*transfer out1.*ether20waits–$/);
    expect(await second?.textContent()).toMatch(/^1.*redemptiondeposit1ether500executed3$/);
    await second?.getByRole('link').first().click();
    await page.getByText('final', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/rollup/operations/${final}`);
    await fact(page, 'Block').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: /^Block \d+$/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it('keys of the signer with their nonces, and keys of the wallet', async () => {
    const { page, faults } = await visit('/');
    await page.getByRole('link', { name: 'Signing' }).click();
    const keys = page.getByRole('region', { name: '1 key', exact: true });
    const row = keys.getByRole('row').nth(1);
    await row.getByText('nothing waits').waitFor();
    expect(await row.getByRole('link').getAttribute('title')).toBe(ACCOUNT);
    expect(await row.getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['0', '1', '1', 'nothing waits']),
    );
    const held = page.getByRole('region', { name: '2 keys of the coin network' });
    for (const [{ address }, scheme] of [
      [SECP, 'secp256k1'],
      [BLS, 'BLS12-381'],
    ] as const)
      await held
        .getByRole('row')
        .filter({ hasText: address.slice(1) })
        .getByText(scheme)
        .waitFor();
    await record(page, 'signing');
    expect(faults).toEqual([]);
  });

  it('says so where the network has no such service', async () => {
    const bare = await startConsole([{ name: 'node0', rpc: nodeUrl() }]);
    try {
      const { page } = await visit('/rollup', bare);
      await page.getByText('The endpoints file names no rollup operator.').waitFor();
      expect(await page.getByRole('link', { name: 'Signing' }).count()).toBe(0);
      await show(page, `${bare.url}/signing`);
      await page.getByText('The endpoints file names no signer.').waitFor();
      await page.getByText('The endpoints file names no wallet.').waitFor();
    } finally {
      await bare.stop();
    }
  });

  it('shows what services say as text, and refuses what has another form', async () => {
    const liar = await openLiar();
    const rpc = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
    const lied = await startConsole([{ name: 'node0', rpc: nodeUrl() }], [], {
      rollup: { rpc },
      signer: { rpc },
      wallet: { rpc, path: '/coin' },
    });
    try {
      const { page, faults } = await visit('/signing', lied);
      await page.getByText('on chain 666, not on this one').waitFor();
      await page.getByText('2 in the pool').waitFor();
      await page.getByRole('cell').locator('bdi').getByText(SCRIPT).waitFor();
      await show(page, `${lied.url}/rollup`);
      await page.getByRole('alert').getByText(SCRIPT).waitFor();
      const queued = page.getByRole('region', { name: /^Batches on their way/ });
      await queued.locator('bdi').getByText(SCRIPT, { exact: true }).first().waitFor();
      expect(await queued.locator('bdi').allTextContents()).toEqual([SCRIPT, SCRIPT, SCRIPT]);
      await show(page, `${lied.url}/rollup/operations/${final}`);
      await page.getByRole('alert').getByText('has a form that the console does not know').waitFor();
      expect(await page.locator('img, main script').count()).toBe(0);
      expect(faults).toEqual([]);
    } finally {
      await lied.stop();
      liar.close();
      liar.closeAllConnections();
    }
  });

  it('shows from the chain which deposits are overdue when the operator is gone, and what it knew as old', async () => {
    const { page, faults } = await visit('/rollup');
    const account = await visit('/rollup/accounts/1');
    await account.page.getByRole('region', { name: 'Final balances' }).waitFor();
    await page.getByText('answers', { exact: true }).waitFor();
    await rollup.stopOperator();
    await rollup.depositFor(1, 70n);
    await page.getByRole('alert').getByText('the rollup operator cannot be reached').waitFor();
    const deposits = page.getByRole('region', { name: '1 deposits wait for a batch' });
    await deposits.getByText(/^overdue for [\d,]+ s$/).waitFor();
    await account.page
      .getByText(/^As it was \d+ s ago: the rollup operator cannot be reached\.$/)
      .first()
      .waitFor();
    await account.page.getByRole('region', { name: 'Final balances' }).waitFor();
    expect(faults).toEqual([]);
    expect(account.faults).toEqual([]);
  });
});

/** A service of whatever kind that says what it likes. */
async function openLiar(): Promise<Server> {
  const answers: Readonly<Record<string, unknown>> = {
    eth_accounts: [`0x${'1'.repeat(40)}`],
    eth_chainId: '0x29a',
    eth_blockNumber: '0x1',
    eth_getBalance: '0x0',
    rollup_getBatchQueue: {
      pendingOperations: 1,
      counts: [{ state: SCRIPT, size: 2, count: 1, oldestSeconds: 3 }],
      batches: [
        {
          batchHeight: 4,
          state: SCRIPT,
          operations: 1,
          size: 2,
          openedAt: 1,
          sealedAt: null,
          prover: { name: SCRIPT, since: 1 },
          transactionHash: null,
          submittedAt: null,
          failure: SCRIPT,
        },
      ],
      hasMoreResults: true,
    },
    'Coin.WalletList': [`${OVERRIDE}${SCRIPT}`],
    pazkp_findMoneyOrderCreation: { moneyOrder: SCRIPT, status: SCRIPT },
    pazkp_findMoneyOrderRedemption: null,
    pazkp_findOutboundTransfer: null,
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const calls = JSON.parse(body) as { id: number; method: string; params: string[] }[];
      const said = calls.map(({ id, method, params }) => {
        const nonce = params[1] === 'pending' ? '0x7' : '0x5';
        const result = method === 'eth_getTransactionCount' ? nonce : answers[method];
        return result === undefined ? { id, error: { code: -1, message: SCRIPT } } : { id, result };
      });
      response.end(JSON.stringify(said));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
