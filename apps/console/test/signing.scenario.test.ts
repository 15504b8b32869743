import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { obliging, resultOf, startFakeNode, type FakeNode } from '../../signer/test/fake-node.js';
import { ACCOUNT, CHAIN_ID, startSigner } from '../../signer/test/running-signer.js';
import { barriers, describeWithBrowser, hasBrowser, useBrowser } from './browser.js';
import { startConsole, type RunningConsole } from './running-console.js';

const describeShown = describeWithBrowser('decisions of the signer');
const browser = useBrowser();

const RECIPIENT = `0x${'f0'.repeat(20)}`;
/** A name that an operator chose, and one that a caller did. */
const RULE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
const STRANGER = '<svg onload=alert(3)>';
const POLICY = `[[rule]]\nname = '${RULE}'\nmethods = ["eth_sendTransaction"]\nmax-value = "0x2"\n`;

let node: FakeNode;
let folder: string;
let signer: Awaited<ReturnType<typeof startSigner>>;
let console: RunningConsole;

beforeAll(async () => {
  if (!hasBrowser) return;
  folder = await mkdtemp(join(tmpdir(), 'tetrad-signing-'));
  await writeFile(join(folder, 'policy.toml'), POLICY);
  node = await startFakeNode();
  // Whether it has what it was sent is not to be known.
  node.behave((request, response) => {
    const { method } = request.rpc;
    if (method === 'eth_sendRawTransaction') return { status: 503, body: '<html>away</html>' };
    const known: Readonly<Record<string, string>> = {
      eth_chainId: `0x${CHAIN_ID.toString(16)}`,
      eth_blockNumber: '0x1',
      eth_getBalance: '0x0',
    };
    const result = known[method ?? ''];
    return result === undefined ? obliging(request, response) : resultOf(request, result);
  });
  signer = await startSigner({
    downstreamPort: node.port,
    flags: ['--policy-file', join(folder, 'policy.toml')],
  });
  const transaction = { from: ACCOUNT, to: RECIPIENT, gas: '0x5208', gasPrice: '0x0' };
  await signer.post(call('eth_sendTransaction', [{ ...transaction, value: '0x1' }]));
  await signer.post(call('eth_sendTransaction', [{ ...transaction, value: '0x3' }]));
  await signer.post(call('eth_sign', [STRANGER, 'x']));
  for (let more = 0; more < 60; more += 1) await signer.post(call('eth_sign', [ACCOUNT, 'x']));
  const rpc = `http://127.0.0.1:${node.port}`;
  console = await startConsole([{ name: 'node0', rpc }], [], { signer: { rpc: signer.url } });
});
afterAll(async () => {
  await console?.stop();
  await signer?.stop();
  await node?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const call = (method: string, params: readonly unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describeShown('the signer in Chromium', () => {
  it('shows what it decided by which rule, page by page, and what is in doubt', async () => {
    const visited = await browser.open(`${console.url}/signing`);
    const { page } = visited;
    const doubt = page.getByRole('region', { name: 'Sends whose outcome is not known' });
    await doubt.getByRole('row').nth(1).waitFor();
    expect(await doubt.getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['public', 'the signer']),
    );
    await page.getByText(/^The Ethereum client did not answer/).waitFor();
    const decisions = page.getByRole('region', { name: 'Decisions of the signer, newest first' });
    await decisions.getByRole('row').nth(50).waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    const decided = (number: number) =>
      decisions
        .getByRole('row')
        .filter({ has: page!.getByRole('cell', { name: String(number), exact: true }) });
    await decided(3).getByText('SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT').waitFor();
    expect(await decided(3).locator('bdi').first().getAttribute('title')).toBe(`0x${STRANGER}`);
    const words = (number: number) => decided(number).getByRole('cell').nth(5).textContent();
    expect((await words(2))?.trim()).toBe(`refused by rule ${RULE}: max-value`);
    expect((await words(1))?.trim()).toBe(`allowed by rule ${RULE}`);
    expect(await decided(1).getByRole('cell').last().textContent()).toMatch(/^nonce 1, 0x.*0\.0{17}1$/);
    expect(await page.getByRole('button', { name: 'Older' }).count()).toBe(0);
    await page.getByLabel('Show').selectOption('allowed');
    await until(async () => (await decisions.getByRole('row').count()) === 2);
    await decided(1).waitFor();
    expect(await page.locator('main img, main svg, main script').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(visited.faults).toEqual([]);
  });
});
