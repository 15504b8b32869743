import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RollupContract, connectEthereum, deriveRollupKeys } from '@tetrad/rollup-client';
import { totalIndex } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import type { Page } from 'playwright-core';
import { hasBrowser } from '../../console/test/browser.js';
import { describeWithAnvil } from '../../../libs/rollup/chain/test/anvil-chain.js';
import { BrowserApplication, outcomeOf } from './browser-application.js';
import { UNIT, startOperatorOnAnvil, type OperatorOnAnvil } from './operator-on-anvil.js';

const describeHere = hasBrowser ? describeWithAnvil : describe.skip;
if (!hasBrowser) process.stderr.write('SKIPPED: an exit in a browser: there is no Chromium\n');

const SECRET = `0x${'b7'.repeat(32)}`;
const PAYEE = `0x${'5e'.repeat(20)}` as Address;
/** More than a quarter of what the operator has, and less than a half. */
const PASSING_SECONDS = 1_200;

const APPLICATION = `
import { createPublicClient, http } from 'viem';
import * as rollup from '@tetrad/client/rollup';

const { chainUrl, secret, ...place } = await (await fetch('/settings.json')).json();
const client = createPublicClient({ transport: http(chainUrl) }).extend(rollup.rollupActions(place));
const holder = rollup.rollupHolder(secret);
const exit = { end: undefined, steps: [], outcome: undefined };
const steps = {
  register: () => client.registerRollupAccount({ holder }),
  redeem: async (totalIndex) => {
    const openJournal = () => rollup.openBrowserJournal('holder');
    const account = await client.openRollupAccount({ holder, openJournal, fromBlock: 0 });
    await account.redeem(totalIndex);
    await account.close();
  },
  begin(secret, recipient) {
    exit.end = new AbortController();
    const onStep = (step) => step.kind !== 'reading' && exit.steps.push(step);
    const whose = { holder: rollup.rollupHolder(secret), recipient, fromBlock: 0 };
    client.exitRollupAccount({ ...whose, signal: exit.end.signal, onStep }).then(
      (owed) => (exit.outcome = { owed }),
      ({ message }) => (exit.outcome = { message }),
    );
  },
  end: () => exit.end.abort(),
  exit: () => ({ steps: exit.steps, outcome: exit.outcome }),
};
`;

interface Exit {
  readonly steps: readonly { readonly kind: string; readonly amount?: string; readonly hash?: string }[];
  readonly outcome?: { readonly owed?: readonly object[]; readonly message?: string };
}

const hasEnded = ({ outcome }: Exit) => outcome !== undefined;
const nothing = () => Promise.resolve();

describeHere('an exit in a browser', () => {
  let application: BrowserApplication;
  let operator: OperatorOnAnvil;
  let contract: RollupContract;
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
    const { address } = deriveRollupKeys(Buffer.alloc(32, 0xb7));
    await chain.ask('anvil_setBalance', [address, `0x${(10n ** 20n).toString(16)}`]);
    page = await application.open();
  });
  afterAll(async () => {
    await contract?.client.close();
    await operator?.stop();
    await application?.stop();
  });

  const run = async (...step: readonly unknown[]) => {
    const { result, error } = await outcomeOf(page, step);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  const stepsUntil = async (isThere: (exit: Exit) => boolean, between: () => Promise<unknown>) => {
    for (;;) {
      const exit = (await run('exit')) as Exit;
      if (isThere(exit)) return exit;
      await between();
      await new Promise((done) => setTimeout(done, 500));
    }
  };
  const paid = async () =>
    BigInt(await operator.chain.ask<string>('eth_getBalance', [PAYEE, 'latest'])) / UNIT;

  it('says that a secret has no account, and a recipient is no address', async () => {
    await run('begin', `0x${'c8'.repeat(32)}`, PAYEE);
    const { outcome } = await stepsUntil(hasEnded, nothing);
    expect(outcome).toEqual({ message: 'the rollup has no account of these keys' });
    await page.reload();
    await page.waitForFunction("'run' in globalThis");
    await run('begin', SECRET, '0x12');
    const refused = await stepsUntil(hasEnded, nothing);
    expect(refused).toEqual({ steps: [], outcome: { message: 'recipient: must be an address' } });
  });

  it('asks for the balance by the chain while the operator is gone, until it is ended', async () => {
    const key = Buffer.alloc(32, 0xb7);
    expect(await run('register')).toBe('REGISTERED');
    await operator.finalize();
    await contract.depositEther({ accountId: 1, amount: 1000n }, { key });
    await run('redeem', totalIndex(await operator.finalize(), 0));
    await operator.finalize();
    await contract.depositEther({ accountId: 1, amount: 70n }, { key });
    await operator.finalize();
    await page.close();
    page = await application.open();
    await run('begin', SECRET, PAYEE);
    const { steps } = await stepsUntil(
      (exit) => exit.steps.some(({ kind }) => kind === 'requested'),
      nothing,
    );
    expect(steps.find(({ kind }) => kind === 'requesting')).toMatchObject({ amount: '1000' });
    expect(steps.find(({ kind }) => kind === 'sent')?.hash).toMatch(/^0x[0-9a-f]{64}$/);
    await run('end');
    const { outcome } = await stepsUntil(hasEnded, nothing);
    expect(outcome).toEqual({ message: expect.stringContaining('interrupted') });
    await page.close();
  });

  it('goes on in another page: freezes the contract, checks what the chain keeps, and is paid', async () => {
    page = await application.open();
    await run('begin', SECRET, PAYEE);
    const { steps, outcome } = await stepsUntil(hasEnded, () => operator.chain.passTime(PASSING_SECONDS));
    expect(outcome).toEqual({ owed: [] });
    const kinds = steps.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['announcing', 'freezing', 'frozen', 'claimed', 'left']));
    expect(kinds).not.toContain('requested');
    expect(await paid()).toBe(1070n);
    expect((await contract.values('frozen', []))[0]).toBe(true);
  });

  it('does nothing more afterwards', async () => {
    await page.close();
    page = await application.open();
    await run('begin', SECRET, PAYEE);
    const { steps, outcome } = await stepsUntil(hasEnded, nothing);
    expect(outcome).toEqual({ owed: [] });
    expect(steps.filter(({ kind }) => kind === 'sent')).toEqual([]);
    expect(await paid()).toBe(1070n);
  });
});
