import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { compiled, sendAndMine } from '../../../node/test/rpc/privacy/private-contracts.js';
import { barriers, record, type TestBrowser } from '../browser.js';
import { MARKING, SENDING, type ThreeBanks } from './three-banks.js';

/** The node that sends, and the other party, by their names in the console. */
const [FIRST, SECOND] = ['bank-b', 'bank-a'] as const;

/** A contract that two parties have differently, hashes: its creation, which both have, a transaction of the first alone, and one of both after it. */
interface Diverged {
  readonly contract: string;
  readonly created: string;
  readonly alone: string;
  readonly diverged: string;
}

const side = (page: Page, name: string) => page.getByRole('region', { name: `As ${name} sees it` });

/** On a contract of its own, which the second party repairs in the end. */
export function testAgreement(banks: () => ThreeBanks, browser: TestBrowser): void {
  let sent: Diverged;
  /** Block at whose end the second party has the contract of the first. */
  let block: number;
  beforeAll(async () => {
    sent = await diverge(banks());
  });
  const visit = (path: string) => browser.goOn(banks().console.url + path);
  /** What the first node has of it, and beside it what the second has. */
  const visitBoth = (what: string) => visit(`/privacy/${what}?node=${FIRST}&beside=${SECOND}`);

  it('are counted in the list, a divergence in red', async () => {
    for (const [hash, colour, word] of [
      [sent.created, '.good', 'the same: 1 of 1'],
      [sent.diverged, '.bad', 'another one: 1 of 1'],
      [sent.alone, '', 'no other party known'],
    ] as const) {
      const { page, faults } = await visit(
        `/privacy?node=${FIRST}&before=${(await blockOf(banks(), hash)) + 1}`,
      );
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
    const { client } = banks();
    const { page, faults } = await visitBoth(sent.diverged);
    for (const [name, other] of [
      [SECOND, client.key(SENDING)],
      [FIRST, client.key(MARKING)],
    ] as const) {
      const seen = side(page, name);
      await seen.getByText('another one').waitFor();
      const signed = seen.getByRole('region', { name: `What ${other} has signed` });
      await signed.getByText('Its storage').or(signed.getByText('Its contracts')).waitFor();
      expect(await signed.locator(`a[title="${sent.diverged}"]`).count()).toBeGreaterThan(0);
      await signed.locator(`a[title="${sent.contract}"]`).waitFor();
    }
    await record(page, 'divergence');
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('are beside the contract that they have differently', async () => {
    const { page, faults } = await visitBoth(sent.contract);
    await side(page, SECOND).getByText('another one').waitFor();
    await side(page, FIRST).getByText('another one').waitFor();
    expect(faults).toEqual([]);
  });

  it('agree on what they did before', async () => {
    const { page } = await visitBoth(sent.created);
    await side(page, SECOND).getByText('the same', { exact: true }).waitFor();
    await side(page, FIRST).getByText('the same', { exact: true }).waitFor();
  });

  it('says so at both ends, with the reason', async () => {
    block = await repairAtSecond(banks(), sent.contract);
    const { page, faults } = await visitBoth(sent.contract);
    const [here, there] = [side(page, SECOND), side(page, FIRST)];
    await here.getByText('left out <b>by mistake</b>', { exact: true }).waitFor();
    await here.getByText('signed by 1').waitFor();
    await there.getByText('the same here', { exact: true }).waitFor();
    for (const one of [here, there])
      await one.getByText(`the same since a repair at the end of block ${block}`).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is in the list of repairs of a node', async () => {
    const { page, faults } = await visit(`/privacy?node=${SECOND}`);
    const repairs = page.getByRole('region', { name: 'Repairs of contracts' });
    await repairs.locator(`a[title="${sent.contract}"]`).waitFor();
    expect(await repairs.getByRole('link', { name: String(block), exact: true }).count()).toBe(1);
    await record(page, 'repair');
    expect(await barriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
}

/** The other party is left out of one increment, and comes to another sum with the next. */
async function diverge({ network: { nodes }, client }: ThreeBanks): Promise<Diverged> {
  const [own, other] = [client.key(SENDING), client.key(MARKING)];
  const first = client.nodeAt(SENDING);
  const accumulator = compiled('Accumulator.sol', 'Accumulator');
  const created = await sendAndMine(first, nodes, { data: accumulator.creation(1), privateFor: [other] });
  const contract = String(created.receipts[SENDING]?.contractAddress);
  const increment = async (privateFor: readonly string[]) => {
    const data = accumulator.interface.encodeFunctionData('inc', [1]);
    return (await sendAndMine(first, nodes, { to: contract, data, privateFor })).hash;
  };
  const alone = await increment([own]);
  return { contract, created: created.hash, alone, diverged: await increment([other]) };
}

async function blockOf({ client }: ThreeBanks, hash: string): Promise<number> {
  const node = client.nodeAt(SENDING);
  return Number(
    (await node.result<{ blockNumber: string }>('eth_getTransactionReceipt', [hash])).blockNumber,
  );
}

async function repairAtSecond({ client }: ThreeBanks, contract: string): Promise<number> {
  const [first, second] = [client.nodeAt(SENDING), client.nodeAt(MARKING)];
  await first.result('admin_allowContractRepair', [contract, client.key(MARKING), 3_600]);
  const from = client.key(SENDING);
  const order = { contract, from, acceptOne: true, reason: 'left out <b>by mistake</b>' };
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
