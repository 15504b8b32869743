import { Interface } from 'ethers/abi';
import type { Browser, Page } from 'playwright-core';
import { until } from '@tetrad/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startNode, type RunningNode } from '../../node/test/running-node.js';
import { ACCOUNT, startSigner } from '../../signer/test/running-signer.js';
import { barriers, describeWithBrowser, hasBrowser, openBrowser, openPage } from './browser.js';
import { bookOf, compileBook } from './compiled-book.js';
import { startWritingConsole, type WritingConsole } from './writing-console.js';

const describeShown = describeWithBrowser('calls by the signer in the console');

const SCRIPT = '<img src=x onerror=alert(1)>';

let browser: Browser;
let node: RunningNode;
let signer: Awaited<ReturnType<typeof startSigner>>;
let console: WritingConsole;
let output: string;
let book: Interface;
let contract: string;
const opened: Page[] = [];

beforeAll(async () => {
  if (!hasBrowser) return;
  browser = await openBrowser();
  output = compileBook();
  node = await startNode();
  signer = await startSigner({ downstreamPort: Number(new URL(node.url).port) });
  const artifact = bookOf(output);
  book = new Interface(artifact.abi as never);
  const send = async (request: object) => {
    const [from] = node.accounts;
    return node.mined(
      await node.result<string>('eth_sendTransaction', [{ from, gas: '0x4c4b40', ...request }]),
    );
  };
  await send({ to: ACCOUNT, value: '0xde0b6b3a7640000' });
  const data = `0x${artifact.evm.bytecode.object}${book.encodeDeploy(['title', 5]).slice(2)}`;
  contract = (await send({ data })).contractAddress;
  console = await startWritingConsole([{ name: 'node0', rpc: node.url }], {
    services: { signer: { rpc: signer.url } },
    kinds: ['signer'],
  });
});
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
});
afterAll(async () => {
  await console?.stop();
  await signer?.stop();
  await node?.stop();
  await browser?.close();
});

/** The contract's page with a call that is ready, for a reader with these permissions. */
async function prepared(permissions: readonly string[], text: string) {
  const { page, faults } = await openPage(browser, `${console.url}/accounts/${contract}`);
  opened.push(page);

  await page.getByLabel('Token').fill(await console.tokenFor(...permissions));
  await page.keyboard.press('Enter');
  const file = { name: 'Book.json', mimeType: 'application/json', buffer: Buffer.from(output) };
  await page.locator('input[type=file]').setInputFiles(file);
  const writes = page.getByRole('region', { name: 'Write', exact: true });
  await writes.getByRole('textbox', { name: /^topic/ }).fill('by the signer');
  await writes.getByRole('textbox', { name: /^entry/ }).fill(JSON.stringify([contract, '1', text]));
  await writes.getByRole('textbox', { name: /^Coins/ }).fill('0.5');
  await writes.getByRole('button', { name: 'Prepare the call' }).click();
  await writes.getByText('No wallet of this browser announces itself.').waitFor();
  return { page, faults, writes };
}

describeShown('a call by the signer', () => {
  it('is not offered to readers whose token does not name it', async () => {
    const { faults, writes } = await prepared(['*', 'eth_*'], SCRIPT);
    expect(await writes.getByText('Send it by the signer').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is confirmed with the very request, sent once, and compared with what is mined', async () => {
    const { page, faults, writes } = await prepared(['*', 'eth_sendTransaction'], SCRIPT);
    const gas = writes.getByLabel('Gas limit');
    await until(async () => /^[0-9]+$/.test(await gas.inputValue()));
    const estimated = await gas.inputValue();
    await gas.fill('many');
    await writes.getByRole('button', { name: 'Look at the call and send it' }).click();
    await writes.getByText('Enter the gas limit as a number.').waitFor();
    await gas.fill(estimated);
    await writes.getByRole('button', { name: 'Look at the call and send it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Call write' });
    await dialog.getByText('0 at first, 0 now').waitFor();
    await dialog.getByText(SCRIPT).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    const sent = page.waitForRequest(/\/api\/signer\/write$/);
    const shown = await dialog.getByRole('region', { name: 'Request, as it is sent' }).textContent();
    await dialog.getByRole('button', { name: 'Send it' }).click();
    expect((await sent).postData()).toBe(shown);
    await dialog.getByText(/succeeded in block/).waitFor();
    await dialog.getByText('0 at first, 1 now').waitFor();
    const request = JSON.parse(shown ?? '') as { params: { gas: string }[] };
    expect(request).toMatchObject({ chainId: 1337, service: 'signer', method: 'eth_sendTransaction' });
    const data = book.encodeFunctionData('write', ['by the signer', [contract, 1, SCRIPT]]);
    expect(request.params).toEqual([
      {
        ...{ from: ACCOUNT, to: contract, data, value: '0x6f05b59d3b20000' },
        gas: `0x${Number(estimated).toString(16)}`,
      },
    ]);
    expect(await node.result('eth_getBalance', [contract, 'latest'])).toBe('0x6f05b59d3b20000');
    expect(faults).toEqual([]);
  });

  it('that would fail is said before it is sent', async () => {
    const { faults, writes } = await prepared(['*', 'eth_sendTransaction'], 'x'.repeat(41));
    await writes.getByText('The node gives no estimate of gas: execution reverted').waitFor();
    await writes.getByLabel('Sender of the trial').fill(ACCOUNT);
    await writes.getByRole('button', { name: 'Try it without sending' }).click();
    await writes.getByText('TooLong(uint256 length, string text)').waitFor();
    expect(faults).toEqual([]);
  });
});
