import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, describe } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Where Debian's package has it; `TETRAD_CHROMIUM` names another one. */
const CHROMIUM = process.env['TETRAD_CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether this host can open the page as people do. */
export const hasBrowser = existsSync(CHROMIUM);

/** `describe` where there is a browser; otherwise says what is skipped. */
export function describeWithBrowser(what: string): typeof describe | typeof describe.skip {
  if (hasBrowser) return describe;
  process.stderr.write(`SKIPPED: ${what}: there is no Chromium\n`);
  return describe.skip;
}

export const PHONE = { width: 360, height: 640 };
export const VIEWPORT = { width: 1280, height: 900 };

/** A page, with what went wrong in it since it was opened: scripts that fail or are stopped by the policy, and dialogs. */
export interface OpenedPage {
  readonly page: Page;
  readonly faults: string[];
}

/** The browser of a test file. What a test opens is left when the test is over. */
export interface TestBrowser {
  /**
   * Opens the address, in a page that an earlier test has left where there is one: a page of its own takes a second of CPU.
   * Nothing of what was shown there is left, as the console keeps nothing; the tests of its page prove that.
   */
  open(url: string): Promise<OpenedPage>;
  /**
   * Shows the address in the page of an earlier test without loading it anew, which takes half a second of CPU, where that shows the same
   * console; otherwise opens it. The page has its cache and whatever else a reader has given it: for tests of views, not of what is kept.
   */
  goOn(url: string): Promise<OpenedPage>;
  /** The same for a page that the test changes for good, or that a reader opens for the first time. */
  openAnew(url: string): Promise<OpenedPage>;
  /** The same for a page that all tests of the file go on with. */
  openForAll(url: string): Promise<OpenedPage>;
}

/** Called once by a test file, outside of its tests. The browser is started when the first page is opened, and ends with the file. */
export function useBrowser(): TestBrowser {
  let browser: Promise<Browser> | undefined;
  const used: ReaderPage[] = [];
  const left: ReaderPage[] = [];
  const openIn = async (reader: ReaderPage, url: string) => {
    used.push(reader);
    return reader.open(url);
  };
  const goOnIn = async (reader: ReaderPage, url: string) => {
    used.push(reader);
    return reader.goOn(url);
  };
  const readerPage = async (isKept: boolean) => readerPageOf(await (browser ??= openBrowser()), isKept);
  afterEach(async () => {
    for (const reader of used.splice(0)) if (await reader.leave()) left.push(reader);
  });
  afterAll(async () => (await browser)?.close());
  return {
    open: async (url) => openIn(left.pop() ?? (await readerPage(true)), url),
    goOn: async (url) => {
      const at = left.findIndex((reader) => reader.shows(url));
      return goOnIn(left.splice(at, 1)[0] ?? (await readerPage(true)), url);
    },
    openAnew: async (url) => openIn(await readerPage(false), url),
    openForAll: async (url) => (await readerPage(false)).open(url),
  };
}

/** A browser for a test that needs contexts of its own, and closes it. */
export function openBrowser(): Promise<Browser> {
  // Its sandbox needs rights that root of a container has not got.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page of a reader of its own. */
interface ReaderPage {
  open(url: string): Promise<OpenedPage>;
  goOn(url: string): Promise<OpenedPage>;
  /** Whether it shows a view of the console of the address. */
  shows(url: string): boolean;
  /** @returns whether another test may use it */
  leave(): Promise<boolean>;
}

async function readerPageOf(browser: Browser, isKept: boolean): Promise<ReaderPage> {
  // The policy stays in force: tests look from outside.
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  let faults: string[] = [];
  watch(page, (fault) => void faults.push(fault));
  let isGoingOn = false;
  const shows = (url: string) => new URL(page.url()).origin === new URL(url).origin;
  return {
    shows,
    async open(url) {
      isGoingOn = false;
      faults = [];
      await page.goto(url);
      return { page, faults };
    },
    async goOn(url) {
      isGoingOn = true;
      faults = [];
      if (shows(url)) await show(page, url);
      else await page.goto(url);
      return { page, faults };
    },
    async leave() {
      if (!isKept) await context.close();
      else await reset(page, isGoingOn);
      return isKept;
    },
  };
}

/**
 * Shows another view of the console that the page has loaded, as its links do.
 * @param url - of the view, or its path
 */
export async function show(page: Page, url: string): Promise<void> {
  await page.evaluate(
    `history.pushState(undefined, '', ${JSON.stringify(url)}); scrollTo(0, 0); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

function watch(page: Page, onFault: (fault: string) => void): void {
  page.on('pageerror', (error) => onFault(error.message));
  page.on('dialog', (dialog) => {
    onFault(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    // Answers with an error status are said by the views.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      onFault(message.text());
  });
}

/** What it showed asks for nothing more, unless another test goes on there, and what a test set for the page is as in a new one. */
async function reset(page: Page, isGoingOn: boolean): Promise<void> {
  if (!isGoingOn) await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'wait' });
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(VIEWPORT);
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/**
 * What axe finds that keeps people from using the view.
 * @param rules - all that axe has, or those of colours alone
 */
export async function barriers(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  // Half a megabyte of script, which the page keeps while it shows other views and colours.
  if (!(await page.evaluate("'axe' in window")))
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
  const only = rules === 'all' ? '' : ", runOnly: ['color-contrast', 'link-in-text-block']";
  const { violations } = (await page.evaluate(
    `axe.run({ resultTypes: ['violations']${only} })`,
  )) as AxeResult;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

/**
 * What keeps people from using the view, light or dark, and on a phone; the page is as before afterwards.
 * @returns what is wrong, and how the view was shown
 */
export async function barriersOf(page: Page): Promise<string[]> {
  const found = (await barriers(page)).map((barrier) => `light: ${barrier}`);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The other rules of axe do not depend on the scheme.
  found.push(...(await barriers(page, 'colours')).map((barrier) => `dark: ${barrier}`));
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(PHONE);
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
  if (width > PHONE.width) found.push(`phone: ${width} wide`);
  await page.setViewportSize(VIEWPORT);
  return found;
}

const PICTURES = join(import.meta.dirname, '../../../docs/how-to/console');

/** Renews a picture of the documentation when `TETRAD_RECORD_PICTURES` is set. */
export async function record(page: Page, name: string): Promise<void> {
  if (process.env['TETRAD_RECORD_PICTURES'] === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}
