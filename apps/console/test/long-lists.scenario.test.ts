import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { barriers, describeWithBrowser, hasBrowser, useBrowser } from './browser.js';
import { startConsole, type RunningConsole } from './running-console.js';

const describeShown = describeWithBrowser('long lists of the console');
const browser = useBrowser();

const MANY = 10_000;
/** The heading is a row as well. */
const ROWS = String(MANY + 1);
const SENDER = `0x${'a1'.repeat(20)}`;

let node: Server;
let console: RunningConsole;
let page: Page;
let faults: string[];
let region: Locator;

beforeAll(async () => {
  if (!hasBrowser) return;
  node = createServer((request, response) => {
    void text(request).then((body) => response.end(JSON.stringify(answers(body))));
  });
  await once(node.listen(0, '127.0.0.1'), 'listening');
  console = await startConsole([
    { name: 'node0', rpc: `http://127.0.0.1:${(node.address() as AddressInfo).port}` },
  ]);
});
afterAll(async () => {
  await console?.stop();
  node?.close();
});

beforeEach(async () => {
  ({ page, faults } = await browser.open(`${console.url}/pool`));
  region = page.getByRole('region', { name: '10,000 pending' });
  await region.getByRole('link').first().waitFor();
});

/** What a node answers whose pool has that many transactions of one sender. */
function answers(batch: string): readonly object[] {
  const results: Readonly<Record<string, unknown>> = {
    txpool_status: { pending: `0x${MANY.toString(16)}`, queued: '0x0' },
    txpool_content: { pending: { [SENDER]: transactions() }, queued: {} },
  };
  return (JSON.parse(batch) as { id: number; method: string }[]).map(({ id, method }) =>
    method in results
      ? { jsonrpc: '2.0', id, result: results[method] }
      : { jsonrpc: '2.0', id, error: { code: -32601, message: 'the method does not exist' } },
  );
}

/** By nonce; the value of each is the nonce in coins. */
function transactions(): Record<string, object> {
  const list = Array.from({ length: MANY }, (_, nonce) => ({
    hash: `0x${nonce.toString(16).padStart(64, '0')}`,
    from: SENDER,
    to: SENDER,
    nonce: `0x${nonce.toString(16)}`,
    gas: '0x5208',
    gasPrice: '0x0',
    value: `0x${(BigInt(nonce) * 10n ** 18n).toString(16)}`,
    input: '0x',
  }));
  return Object.fromEntries(list.entries());
}

/** The row with the place among all rows, the heading being the first. */
const row = (at: string) => region.locator(`tr[aria-rowindex="${at}"]`);
const drawn = () => region.locator('tbody tr[aria-rowindex]').count();

describeShown('a list of 10,000 rows', () => {
  it('draws the rows in sight, and says how many there are and which these are', async () => {
    expect(await drawn()).toBeLessThan(100);
    expect(await region.getByRole('table').getAttribute('aria-rowcount')).toBe(ROWS);
    const places = await region
      .locator('tr[aria-rowindex]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-rowindex')));
    expect(places).toEqual(places.map((_, at) => String(at + 1)));
    expect(faults).toEqual([]);
  });

  it('is read to its end by keyboard, and the heading stays in sight', async () => {
    await region.focus();
    await page.keyboard.press('End');
    await row(ROWS).waitFor();
    expect(await row(ROWS).textContent()).toContain('9,999');
    expect(await drawn()).toBeLessThan(100);
    const [box, heading, last] = await Promise.all([
      region.boundingBox(),
      region.getByRole('columnheader').first().boundingBox(),
      row(ROWS).boundingBox(),
    ]);
    const end = (box?.y ?? 0) + (box?.height ?? 0);
    expect(heading?.y).toBeGreaterThanOrEqual((box?.y ?? 0) - 1);
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(end + 1);
    await page.keyboard.press('Home');
    await row('2').waitFor();
    expect(faults).toEqual([]);
  });

  it('keeps the focus when its row scrolls out of sight, and draws the next rows for the Tab key', async () => {
    await row('2').getByRole('link').first().focus();
    const focused = () => page.evaluate('document.activeElement.getAttribute("href")');
    const before = await focused();
    await region.evaluate((box) => box.scrollTo(0, box.scrollHeight / 2));
    await row(String(MANY / 2)).waitFor();
    expect(await focused()).toBe(before);
    // A reader who presses the key twice is quicker than the next drawing.
    expect(await row('3').count()).toBe(1);
    await page.keyboard.press('Tab');
    // Two links a row: past the rows that were drawn at first.
    for (let step = 0; step < 120; step++) await page.keyboard.press('Tab');
    const place = await page.evaluate('document.activeElement.closest("tr").getAttribute("aria-rowindex")');
    expect(Number(place)).toBe(2 + Math.floor(121 / 2));
  });

  it('is sorted by a column on request, by all of its rows, and says so', async () => {
    const heading = region.getByRole('columnheader', { name: 'Value' });
    await heading.getByRole('button').focus();
    await page.keyboard.press('Enter');
    expect(await heading.getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('Enter');
    expect(await heading.getAttribute('aria-sort')).toBe('descending');
    expect(await row('2').textContent()).toContain('9,999');
    // The order is kept when the list is asked for again.
    await page.waitForResponse((response) => response.url().endsWith('/api/nodes/node0'));
    expect(await row('2').textContent()).toContain('9,999');
  });

  it('has no barriers, light or dark, and fits a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, barriers: await barriers(page) }).toEqual({ colorScheme, barriers: [] });
    }
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    expect(await drawn()).toBeLessThan(100);
  });
});
