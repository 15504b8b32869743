import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  RollupAccount,
  RollupContract,
  connectEthereum,
  connectOperator,
  deriveRollupKeys,
  openJournalFile,
  registerAccount,
  type OperatorClient,
} from '@tetrad/rollup-client';
import { totalIndex } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import type { Page } from 'playwright-core';
import { hasBrowser } from '../../console/test/browser.js';
import { describeWithAnvil } from '../../../libs/rollup/chain/test/anvil-chain.js';
import { BrowserApplication, outcomeOf } from './browser-application.js';
import { UNIT, startOperatorOnAnvil, type OperatorOnAnvil } from './operator-on-anvil.js';

const describeHere = hasBrowser ? describeWithAnvil : describe.skip;
if (!hasBrowser) process.stderr.write('SKIPPED: a holder in a browser: there is no Chromium\n');

const SECRET = `0x${'b7'.repeat(32)}`;
const alice = deriveRollupKeys(Buffer.alloc(32, 0xa1));
const PAYEE = `0x${'5e'.repeat(20)}` as Address;

/** The application: what a test asks for by name, with amounts as text. */
const APPLICATION = `
import { createPublicClient, http } from 'viem';
import * as rollup from '@tetrad/client/rollup';

const { chainUrl, secret, ...place } = await (await fetch('/settings.json')).json();
const client = createPublicClient({ transport: http(chainUrl) }).extend(rollup.rollupActions(place));
const holder = rollup.rollupHolder(secret);
const openJournal = () => rollup.openBrowserJournal('holder');
let account;
const steps = {
  address: () => holder.address,
  token: () => client.getRollupToken({ tokenId: 0 }),
  register: () => client.registerRollupAccount({ holder }),
  open: async () => (account = await client.openRollupAccount({ holder, openJournal, fromBlock: 0 })).id,
  state: () => account.state(),
  received: (totalIndex) => account.received(totalIndex),
  redeem: (totalIndex) => account.redeem(totalIndex),
  send: (toAccountId, amount) => account.send({ toAccountId, tokenId: 0, amount: BigInt(amount) }),
  withdraw: (to, amount) => account.withdraw({ to, tokenId: 0, amount: BigInt(amount) }),
  settle: () => account.settle(),
  close: () => account.close(),
  async redeemable() {
    const orders = [];
    for await (const order of account.redeemable()) orders.push(order);
    return orders;
  },
};
`;

describeHere('a holder in a browser', () => {
  let application: BrowserApplication;
  let operator: OperatorOnAnvil;
  let client: OperatorClient;
  let contract: RollupContract;
  let account: RollupAccount;
  let page: Page;

  beforeAll(async () => {
    application = await BrowserApplication.start(APPLICATION);
    operator = await startOperatorOnAnvil(undefined, ['--cors-origins', application.origin]);
    const { url, chain } = operator;
    application.set({
      chainUrl: chain.url,
      secret: SECRET,
      operatorUrl: url,
      contract: operator.contract,
    });
    contract = await RollupContract.open(connectEthereum(chain.url), operator.contract);
    client = connectOperator(url);
    await chain.ask('anvil_setBalance', [alice.address, `0x${(10n ** 20n).toString(16)}`]);
    page = await application.open();
  });
  afterAll(async () => {
    await account?.close();
    await client?.close();
    await contract?.client.close();
    await operator?.stop();
    await application?.stop();
  });

  const outcome = (...step: readonly unknown[]) => outcomeOf(page, step);
  const run = async (...step: readonly unknown[]) => {
    const { result, error } = await outcome(...step);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  const unitsOf = async (address: Address) =>
    BigInt(await operator.chain.ask<string>('eth_getBalance', [address, 'latest'])) / UNIT;

  /** What the operator answers to a method is what `change` makes of it; the request reaches the operator. */
  const alter = (method: string, change: (body: string) => string | undefined) =>
    page.route(`${operator.url}/**`, async (route) => {
      const asked = route.request().postData() ?? '';
      if (!asked.includes(`"${method}"`)) return route.continue();
      const response = await route.fetch();
      const body = change(await response.text());
      return body === undefined ? route.abort() : route.fulfill({ response, body });
    });

  it('registers an account by its secret, and opens it when it is final', async () => {
    const { address } = deriveRollupKeys(Buffer.alloc(32, 0xb7));
    expect(await run('address')).toBe(address);
    expect(await run('token')).toEqual({ tokenId: 0, address: `0x${'00'.repeat(20)}`, unit: String(UNIT) });
    expect(await outcome('open')).toMatchObject({
      error: { message: expect.stringContaining('no account') },
    });
    expect(await run('register')).toBe('REGISTERED');
    await operator.finalize();
    expect(await registerAccount(client, contract, alice)).toBe('REGISTERED');
    await operator.finalize();
    expect(await run('open')).toBe(1);
    const openJournal = () => openJournalFile(join(application.folder, 'journal'));
    account = await RollupAccount.open({
      operator: client,
      contract,
      keys: alice,
      openJournal,
      fromBlock: 0,
    });
  });

  it('receives a deposit, once its proof is checked', async () => {
    await contract.depositEther({ accountId: 1, amount: 1000n }, { key: alice.ethereumKey });
    const height = await operator.finalize();
    const order = { totalIndex: totalIndex(height, 0), fromAccountId: 0, tokenId: 0, amount: '1000' };
    expect(await run('redeemable')).toEqual([order]);
    expect(await run('received', order.totalIndex)).toEqual(order);
    await run('redeem', order.totalIndex);
    expect(await run('redeemable')).toEqual([]);
    const final = await operator.finalize();
    expect(await run('state')).toEqual({ height: final, nonce: 1, balances: { 0: '1000' } });
  });

  it('pays another holder, and withdraws to the chain', async () => {
    const { hash } = (await run('send', 2, '400')) as { hash: string };
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
    await run('withdraw', PAYEE, '50');
    const height = await operator.finalize();
    expect(await account.received(totalIndex(height, 0))).toMatchObject({ fromAccountId: 1, amount: 400n });
    expect(await unitsOf(PAYEE)).toBe(50n);
    expect(await run('state')).toMatchObject({ nonce: 3, balances: { 0: '550' } });
  });

  it('names what is wrong, and signs nothing for it', async () => {
    expect(await outcome('send', 2, '0')).toMatchObject({
      error: { message: expect.stringMatching(/^amount:/) },
    });
    expect(await outcome('withdraw', '0x12', '5')).toMatchObject({
      error: { message: 'to: must be an address' },
    });
    expect(await run('settle')).toEqual([]);
  });

  it('does not believe a balance that the operator makes up', async () => {
    await alter('rollup_getAccountState', (body) => body.replace('550', '551'));
    expect(await outcome('state')).toMatchObject({ error: { unproved: true } });
    await page.unrouteAll();
    expect(await run('state')).toMatchObject({ balances: { 0: '550' } });
  });

  it('knows after the end of its page what was signed, and pays once', async () => {
    await alter('pazkp_createMoneyOrder', () => undefined);
    expect(await outcome('send', 2, '100')).toMatchObject({ error: { lost: true } });
    expect(await outcome('send', 2, '100')).toMatchObject({
      error: { message: expect.stringContaining('not settled') },
    });
    const ended = page;
    page = await application.open();
    let isOpen = false;
    const opening = run('open').then(() => (isOpen = true));
    expect(await run('address')).toMatch(/^0x/);
    expect(isOpen).toBe(false);
    await ended.close();
    await opening;
    expect(await run('settle')).toEqual([
      expect.objectContaining({ method: 'pazkp_createMoneyOrder', isAccepted: true }),
    ]);
    await operator.finalize();
    expect(await run('state')).toMatchObject({ nonce: 4, balances: { 0: '450' } });
    await run('close');
  });
});
