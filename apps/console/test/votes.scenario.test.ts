import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { addressOf } from '../../node/test/validator-chain.js';
import { startNodes, useNodes } from '../../node/test/validator-network.js';
import { barriers, describeWithBrowser, hasBrowser, record, useBrowser } from './browser.js';
import { startWritingConsole, type WritingConsole } from './writing-console.js';

const describeShown = describeWithBrowser('votes of validators in the console');
const browser = useBrowser();

const SCRIPT = '<img src=x onerror=alert(1)>"><script>alert(2)</script>\u202e';
const CANDIDATE = `0x${'c0'.repeat(20)}`;
const VOTES = ['*', 'ibft_propose', 'ibft_discard'];

let console: WritingConsole;
const nodes = useNodes(afterAll);

const validator = () => {
  const [node] = nodes;
  if (node === undefined) throw new Error('no node');
  return node;
};

beforeAll(async () => {
  if (!hasBrowser) return;
  await startNodes(
    nodes,
    { engine: 'qbft', validators: ['A', 'B'], consensus: { emptyblockperiodseconds: 1 } },
    ['A', 'B'],
  );
  console = await startWritingConsole([
    { name: 'node0', rpc: nodes[0]?.url ?? '', address: addressOf('A') },
    { name: SCRIPT, rpc: nodes[1]?.url ?? '', address: addressOf('B') },
    { name: 'gone', rpc: 'http://127.0.0.1:1' },
  ]);
});
afterAll(async () => {
  await console?.stop();
});

/** Opens a view as a reader with these permissions. */
async function visit(path: string, permissions: readonly string[] = VOTES) {
  const visited = await browser.open(console.url + path);
  const { page } = visited;
  await page.getByLabel('Token').fill(await console.tokenFor(...permissions));
  await page.keyboard.press('Enter');
  return visited;
}

/** Asks for a vote, up to the dialog. */
async function proposeVote(page: Page) {
  await page.getByLabel('Address of a node to vote in').fill(CANDIDATE.toUpperCase().replace('0X', '0x'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Vote ${CANDIDATE} in` });
  await dialog.waitFor();
  return dialog;
}

const candidates = () => validator().result<Record<string, boolean>>('ibft_candidates');
const votesIn = async () =>
  (await validator().result<{ votes: { address: string }[] | null }>('ibft_getSnapshot', ['latest'])).votes ??
  [];

describeShown('votes of validators in the console', () => {
  it('are not offered to readers whose token names none', async () => {
    const { page, faults } = await visit('/', ['*', 'ibft_*']);
    await page.getByRole('region', { name: '2 validators' }).waitFor();
    await page.getByRole('region', { name: 'What this node votes for' }).waitFor();
    expect(await page.getByRole('button', { name: /vote|discard/i }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('are confirmed with the very request, by keyboard, and are in blocks', async () => {
    const { page, faults } = await visit('/');
    const dialog = await proposeVote(page);
    const sent = page.waitForRequest(/\/write$/);
    expect(await dialog.getByRole('region', { name: 'Effect' }).textContent()).toContain(
      'It takes 2 of 2 votes; 0 of other validators are open. With enough of them the network has 3 validators instead of 2.',
    );
    const shown = await dialog.getByRole('region', { name: 'Request, as it is sent' }).textContent();
    expect(JSON.parse(shown ?? '')).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      chainId: 1337,
      service: 'node0',
      method: 'ibft_propose',
      params: [CANDIDATE, true],
    });
    await record(page, 'confirm');
    // The button that changes nothing has the focus.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect((await sent).postData()).toBe(shown);
    await dialog.getByText('done', { exact: true }).waitFor();
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close']);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await candidates()).toEqual({ [CANDIDATE]: true });
    await until(async () => (await votesIn()).some(({ address }) => address === CANDIDATE));
    await page.getByRole('region', { name: 'Open votes' }).getByTitle(CANDIDATE).waitFor();
    expect(faults).toEqual([]);
  });

  it('are discarded in the same way, and nothing is sent when the dialog is closed', async () => {
    const { page, faults } = await visit('/');
    const own = page.getByRole('region', { name: 'What this node votes for' });
    await own.getByRole('button', { name: 'Discard…' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await candidates()).toEqual({ [CANDIDATE]: true });
    await own.getByRole('button', { name: 'Discard…' }).click();
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByRole('dialog').getByText('done', { exact: true }).waitFor();
    expect(await candidates()).toEqual({});
    await page.getByRole('button', { name: 'Close' }).click();
    await own.getByText('This node votes for no candidate.').waitFor();
    expect(faults).toEqual([]);
  });

  it('go once to the node of the dialog, whatever its name', async () => {
    const { page, faults } = await visit(`/?node=${encodeURIComponent(SCRIPT)}`);
    const dialog = await proposeVote(page);
    const request = dialog.getByRole('region', { name: 'Request, as it is sent' });
    expect(await request.textContent()).toContain(JSON.stringify(SCRIPT).replace('\u202e', '\\u202e'));
    let requests = 0;
    page.on('request', (one) => void (requests += one.url().endsWith('/write') ? 1 : 0));
    await dialog.getByRole('button', { name: 'Send it' }).dblclick();
    await dialog.getByText('done', { exact: true }).waitFor();
    expect(requests).toBe(1);
    expect(await nodes[1]?.result('ibft_candidates')).toEqual({ [CANDIDATE]: true });
    expect(await candidates()).toEqual({});
    expect(await page.locator('img, main script, dialog script').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each<[string, number, object, RegExp]>([
    ['refused', 200, { refusal: SCRIPT }, /^Refused, nothing was changed: <img src=x/],
    ['unsent', 502, { error: SCRIPT }, /^Not sent: <img src=x/],
    ['unknown', 504, { error: SCRIPT }, /^It is not known whether this takes effect: <img src=x/],
  ])('say as text what became of them: %s', async (_, status, body, text) => {
    const { page, faults } = await visit('/');
    let requests = 0;
    await page.route(/\/write$/, (route) => {
      requests++;
      return route.fulfill({ status, json: body });
    });
    const dialog = await proposeVote(page);
    await dialog.getByRole('button', { name: 'Send it' }).click();
    await dialog.getByText(text).waitFor();
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close']);
    expect(await page.locator('img, dialog script').count()).toBe(0);
    expect({ requests, faults }).toEqual({ requests: 1, faults: [] });
  });

  it('are not sent again when no answer comes', async () => {
    const { page } = await visit('/');
    let requests = 0;
    await page.route(/\/write$/, (route) => {
      requests++;
      return route.abort('connectionreset');
    });
    const dialog = await proposeVote(page);
    await dialog.getByRole('button', { name: 'Send it' }).click();
    await dialog
      .getByText(/^It is not known whether this takes effect: the console gave no answer/)
      .waitFor();
    expect(requests).toBe(1);
  });

  it('of a page that was opened on another network are not sent', async () => {
    const { page } = await visit('/');
    const token = await console.tokenFor(...VOTES);
    const headers = { authorization: `Bearer ${token}` };
    // Asked for here: what a page asks for when it is closed has no answer to change.
    const network = (await (await fetch(`${console.url}/api/network`, { headers })).json()) as object;
    await page.route('**/api/network', (route) =>
      'authorization' in route.request().headers()
        ? route.fulfill({ json: { ...network, chainId: 1 } })
        : route.continue(),
    );
    await page.reload();
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    const dialog = await proposeVote(page);
    await dialog.getByText('chain id 1', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Send it' }).click();
    await dialog
      .getByText('Not sent: chainId: the network has chain id 1337, and the write is for 1')
      .waitFor();
    expect(await candidates()).toEqual({});
  });

  it('are asked for in a dialog without barriers, light or dark, that fits a phone', async () => {
    const { page } = await visit('/');
    const dialog = await proposeVote(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, barriers: await barriers(page) }).toEqual({ colorScheme, barriers: [] });
    }
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(360);
  });
});
