import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@tetrad/testkit';
import type { Page } from 'playwright-core';
import { viewOf, type View } from '../page/src/paths.js';
import { PHONE, VIEWPORT, barriersOf, show } from './browser.js';

/** The test that pictures a view, as it has the data that the view needs: each view of the page is in one. */
export const PICTURED_BY = {
  network: 'tokens',
  blocks: 'tokens',
  block: 'tokens',
  transactions: 'tokens',
  transaction: 'tokens',
  account: 'tokens',
  pool: 'tokens',
  abis: 'tokens',
  unknown: 'tokens',
  privacy: 'privacy',
  'private-contract': 'privacy',
  'private-transaction': 'privacy',
  permissions: 'permissions',
  explain: 'permissions',
  rollup: 'services',
  rollupAccount: 'services',
  rollupOperation: 'services',
  signing: 'services',
} as const satisfies Readonly<Record<View['kind'], string>>;

type PicturedBy = typeof PICTURED_BY;
type KindsOf<Test extends string> = {
  [Kind in View['kind']]: PicturedBy[Kind] extends Test ? Kind : never;
}[View['kind']];

const SIZES = { desktop: VIEWPORT, phone: PHONE };

/**
 * Looks at each view of a test, as wide as a desktop and as a phone: whether something is cut off, an empty table is drawn, or people are
 * kept from using it, light or dark. Takes pictures when `TETRAD_VIEW_PICTURES` names a folder for them.
 * @param page - which shows a view of the console
 * @param url - of the console
 * @param test - in PICTURED_BY
 * @param paths - of each of its views, one or more
 * @returns what is wrong, with view and size
 */
export async function pictureViews<Test extends PicturedBy[View['kind']]>(
  page: Page,
  url: string,
  test: Test,
  paths: Readonly<Record<KindsOf<Test>, readonly string[]>>,
): Promise<string[]> {
  const wrong: string[] = [];
  const given = Object.entries<readonly string[]>(paths);
  for (const [kind, by] of Object.entries(PICTURED_BY))
    if (by === test && !given.some(([one, all]) => one === kind && all.length > 0))
      wrong.push(`${kind}: no path`);
  for (const [kind, all] of given)
    for (const [at, path] of all.entries()) {
      if (viewOf(new URL(path, url).pathname).kind !== kind) wrong.push(`${path}: is not of ${kind}`);
      await show(page, url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The page's policy lets no text be evaluated again and again, as waiting for a function would.
      await until(async () => (await page.getByText('Loading…').count()) === 0);
      const faults = [...(await faultsBySize(page, `${kind}-${at}`)), ...(await barriersOf(page))];
      wrong.push(...faults.map((fault) => `${path}: ${fault}`));
    }
  return wrong;
}

async function faultsBySize(page: Page, name: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await page.evaluate(DRAWN);
    wrong.push(...(await page.evaluate<readonly string[]>(LOOK)).map((fault) => `on a ${size}: ${fault}`));
    await picture(page, `${name}-${size}`);
  }
  await page.setViewportSize(VIEWPORT);
  return wrong;
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['TETRAD_VIEW_PICTURES'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ fullPage: true, animations: 'disabled', path: join(folder, `${name}.png`) });
}

/** Charts are drawn anew a moment after the window has another size. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

/** Run in the page: what reaches beyond the window, or beyond a box that would have to be scrolled sideways, and tables without rows. */
const LOOK = `(() => {
  const faults = [];
  const name = (one) => one.tagName.toLowerCase() + ' ' + (one.getAttribute('aria-label') ?? one.textContent).slice(0, 60);
  if (Math.max(document.documentElement.scrollWidth, document.body.scrollWidth, document.body.offsetWidth) > innerWidth)
    faults.push('wider than the window');
  for (const one of document.querySelectorAll('main *, header *')) {
    const { right, left, width } = one.getBoundingClientRect();
    if (width > 0 && (right > innerWidth + 1 || left < -1) && !one.closest('svg, .chart, .skip, pre'))
      faults.push('cut off: ' + name(one));
  }
  for (const one of document.querySelectorAll('main .scrolls'))
    if (one.scrollWidth > one.clientWidth + 1) faults.push('scrolls sideways: ' + name(one));
  for (const one of document.querySelectorAll('main table'))
    if (one.tBodies[0].rows.length === 0) faults.push('empty table: ' + name(one));
  for (const one of document.querySelectorAll('main td[data-title]')) {
    const title = getComputedStyle(one, '::before');
    if (title.content !== 'none' && parseFloat(getComputedStyle(one).paddingLeft) < parseFloat(title.width))
      faults.push('no room for the title: ' + one.dataset.title);
  }
  return faults.slice(0, 5);
})()`;
