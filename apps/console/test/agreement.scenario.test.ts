import { until } from '@tetrad/testkit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../node/test/privacy-network.js';
import { compiled, sendAndMine } from '../../node/test/rpc/privacy/private-contracts.js';
import type { RunningNode } from '../../node/test/running-node.js';
import { barriers, describeWithBrowser, hasBrowser, record, useBrowser } from './browser.js';
import { startConsole, type RunningConsole } from './running-console.js';

const describeShown = describeWithBrowser('agreement of parties in the console');
const browser = useBrowser();

const [A, B] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];

let network: PrivacyNetwork;
let console: RunningConsole;
let contract: string;
/** Hashes: the creation, which both have, a transaction of the first node alone, and one of both after it. */
const sent = { created: '', alone: '', diverged: '' };

beforeAll(async () => {
  if (!hasBrowser) return;
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS.slice(0, 2),
    accounts: recordedAccounts(2),
    modules: 'eth,net,web3,admin,eea,priv,privacy,chainExtension',
  });
  const [first, second] = network.nodes as [RunningNode, RunningNode];
  await divergeAt(first);
  console = await startConsole([
    { name: 'bank-a', rpc: first.url },
    { name: 'bank-b', rpc: second.url },
  ]);
});
afterAll(async () => {
  await console?.stop();
  await network?.stop();
});

/** The other party is left out of one increment, and comes to another sum with the next. */
async function divergeAt(first: RunningNode): Promise<void> {
  const { nodes } = network;
  const accumulator = compiled('Accumulator.sol', 'Accumulator');
  const created = await sendAndMine(first, nodes, { data: accumulator.creation(1), privateFor: [B] });
  contract = String(created.receipts[0]?.contractAddress);
  sent.created = created.hash;
  const increment = async (privateFor: readonly string[]) => {
    const data = accumulator.interface.encodeFunctionData('inc', [1]);
    return (await sendAndMine(first, nodes, { to: contract, data, privateFor })).hash;
  };
  sent.alone = await increment([A]);
  sent.diverged = await increment([B]);
}

async function blockOf(hash: string): Promise<number> {
  const receipt = await network.nodes[0]?.result<{ blockNumber: string }>('eth_getTransactionReceipt', [
    hash,
  ]);
  return Number(receipt?.blockNumber);
}

const visit = (path: string) => browser.open(console.url + path);

const side = (page: Page, name: string) => page.getByRole('region', { name: `As ${name} sees it` });

describeShown('parties of private transactions', () => {
  it('are counted in the list, a divergence in red', async () => {
    for (const [hash, colour, word] of [
      [sent.created, '.good', 'the same: 1 of 1'],
      [sent.diverged, '.bad', 'another one: 1 of 1'],
      [sent.alone, '', 'no other party known'],
    ] as const) {
      const { page, faults } = await visit(`/privacy?before=${(await blockOf(hash)) + 1}`);
      const row = page.getByRole('row').filter({ has: page.locator(`a[title="${hash}"]`) });
      await row
        .locator(colour === '' ? 'td' : `.badge${colour}`)
        .getByText(word)
        .waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(faults).toEqual([]);
    }
  });

  it('have what they signed shown at both ends, with the first difference', async () => {
    const { page, faults } = await visit(`/privacy/${sent.diverged}`);
    for (const [name, other] of [
      ['bank-a', B],
      ['bank-b', A],
    ] as const) {
      const seen = side(page, name);
      await seen.getByText('another one').waitFor();
      const signed = seen.getByRole('region', { name: `What ${other} has signed` });
      await signed.getByText('Its storage').or(signed.getByText('Its contracts')).waitFor();
      expect(await signed.locator(`a[title="${sent.diverged}"]`).count()).toBeGreaterThan(0);
      await signed.locator(`a[title="${contract}"]`).waitFor();
    }
    await record(page, 'divergence');
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('are beside the contract that they have differently', async () => {
    const { page, faults } = await visit(`/privacy/${contract}`);
    await side(page, 'bank-a').getByText('another one').waitFor();
    await side(page, 'bank-b').getByText('another one').waitFor();
    expect(faults).toEqual([]);
  });

  it('agree on what they did before', async () => {
    const { page } = await visit(`/privacy/${sent.created}`);
    await side(page, 'bank-a').getByText('the same', { exact: true }).waitFor();
    await side(page, 'bank-b').getByText('the same', { exact: true }).waitFor();
  });
});

describeShown('a contract that a party has repaired', () => {
  /** Block at whose end the second party has the contract of the first. */
  let block: number;

  it('says so at both ends, with the reason', async () => {
    block = await repairAtSecond();
    const { page, faults } = await visit(`/privacy/${contract}`);
    const [here, there] = [side(page, 'bank-b'), side(page, 'bank-a')];
    await here.getByText('left out <b>by mistake</b>', { exact: true }).waitFor();
    await here.getByText('signed by 1').waitFor();
    await there.getByText('the same here', { exact: true }).waitFor();
    for (const one of [here, there])
      await one.getByText(`the same since a repair at the end of block ${block}`).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is in the list of repairs of a node', async () => {
    const { page, faults } = await visit('/privacy?node=bank-b');
    const repairs = page.getByRole('region', { name: 'Repairs of contracts' });
    await repairs.locator(`a[title="${contract}"]`).waitFor();
    expect(await repairs.getByRole('link', { name: String(block), exact: true }).count()).toBe(1);
    await record(page, 'repair');
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

async function repairAtSecond(): Promise<number> {
  const [first, second] = network.nodes as [RunningNode, RunningNode];
  await first.result('admin_allowContractRepair', [contract, B, 3_600]);
  const order = { contract, from: A, acceptOne: true, reason: 'left out <b>by mistake</b>' };
  await second.result('admin_repairContract', [order]);
  let block: number | undefined;
  await until(async () => {
    const [told] = (
      await first.result<{ told: { blockNumber: number; isSame: boolean }[] }>('privacy_listRepairs')
    ).told;
    block = told?.blockNumber;
    return told?.isSame === true;
  });
  return block as number;
}
