import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { ExtensionClient } from '../../../node/test/rpc/chainExtension/extension-client.js';
import { barriers, type TestBrowser } from '../browser.js';
import { startWritingConsole, type WritingConsole } from '../writing-console.js';
import { LOGS, OUTSIDE, SENDING, type ThreeBanks } from './three-banks.js';

/** Places of nodes: one that has the contract, and one that is to get it. */
const [HAVING, GETTING] = [SENDING, OUTSIDE] as const;
const READS = ['*'];
const WRITES = [...READS, 'chainExtension_approveExtension', 'chainExtension_cancelExtension'];

/** A private contract of the first node, and the management contract of an extension that waits for the second. */
async function begin(client: ExtensionClient): Promise<{ contract: string; management: string }> {
  const receipts = await client.minedAll(await client.send(HAVING, { data: LOGS, parties: [] }));
  const contract = receipts[HAVING]?.contractAddress ?? '';
  return { contract, management: await client.begin(HAVING, GETTING, contract) };
}

/**
 * The contract as both nodes see it.
 * @param node - the one that is asked first
 */
async function open(
  browser: TestBrowser,
  console: WritingConsole,
  { contract, node, permissions }: { contract: string; node: string; permissions: readonly string[] },
) {
  const visited = await browser.open(`${console.url}/privacy/${contract}?node=${node}`);
  const { page } = visited;
  await page.getByLabel('Token').fill(await console.tokenFor(...permissions));
  await page.keyboard.press('Enter');
  const side = (name: string) => page.getByRole('region', { name: `As ${name} sees it` });
  await side('bank-b').getByText('is the recipient').waitFor();
  await side('bank-a').getByText('is the initiator').waitFor();
  return { ...visited, side };
}

/** On contracts of its own, by a console that writes. */
export function testExtensionWrites(banks: () => ThreeBanks, browser: TestBrowser): void {
  let client: ExtensionClient;
  let console: WritingConsole;
  beforeAll(async () => {
    ({ client } = banks());
    console = await startWritingConsole([
      { name: 'bank-a', rpc: client.nodeAt(HAVING).url },
      { name: 'bank-b', rpc: client.nodeAt(GETTING).url },
    ]);
  });
  afterAll(() => console?.stop());
  const visit = (contract: string, node: string, permissions: readonly string[]) =>
    open(browser, console, { contract, node, permissions });
  const codeAt = (index: number, contract: string) =>
    client.nodeAt(index).result<string>('eth_getCode', [contract, 'latest']);

  it('are not offered to readers whose token names no such write', async () => {
    const { contract, management } = await begin(client);
    const { page, faults } = await visit(contract, 'bank-b', READS);
    expect(await page.getByRole('button', { name: /approve|decline|cancel/i }).count()).toBe(0);
    expect(faults).toEqual([]);
    await client.minedAll(await client.cancel(HAVING, management, { privateFor: [client.key(GETTING)] }));
  });

  it('are approved by the recipient, once it has seen the very request, and the contract is there', async () => {
    const { contract, management } = await begin(client);
    const { page, faults, side } = await visit(contract, 'bank-b', WRITES);
    expect(await side('bank-b').getByRole('button').allTextContents()).toEqual(['Approve…', 'Decline…']);
    await side('bank-b').getByRole('button', { name: 'Approve…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve the extension' });
    const shown = await dialog.getByRole('region', { name: 'Request, as it is sent' }).textContent();
    const from = client.account(GETTING);
    expect(JSON.parse(shown ?? '')).toMatchObject({
      service: 'bank-b',
      method: 'chainExtension_approveExtension',
      params: [management, true, { from, privateFor: [client.key(HAVING)] }],
    });
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send it' }).click();
    await dialog.getByText('succeeded').waitFor();
    await client.ended([HAVING, GETTING], management);
    await until(async () => (await codeAt(GETTING, contract)) === (await codeAt(HAVING, contract)));
    expect(await codeAt(GETTING, contract)).not.toBe('0x');
    expect(faults).toEqual([]);
  });

  it.each([
    ['declined by the recipient', 'bank-b', 'Decline', 'Decline the extension'],
    ['cancelled by the initiator', 'bank-a', 'Cancel it', 'Cancel the extension'],
  ])('are %s, and nothing is shared', async (_how, name, label, title) => {
    const { contract, management } = await begin(client);
    const { page, faults, side } = await visit(contract, name, WRITES);
    await side(name)
      .getByRole('button', { name: `${label}…` })
      .click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByRole('button', { name: 'Send it' }).click();
    await dialog.getByText('succeeded').waitFor();
    await client.ended([HAVING, GETTING], management);
    expect(await codeAt(GETTING, contract)).toBe('0x');
    await page.keyboard.press('Escape');
    await side('bank-b').getByText('This node knows of no extension that is under way.').waitFor();
    expect(faults).toEqual([]);
  });
}
