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

const VIEWPORT = { width: 1280, height: 900 };

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
  const readerPage = async (isKept: boolean) => readerPageOf(await (browser ??= openBrowser()), isKept);
  afterEach(async () => {
    for (const reader of used.splice(0)) if (await reader.leave()) left.push(reader);
  });
  afterAll(async () => (await browser)?.close());
  return {
    open: async (url) => openIn(left.pop() ?? (await readerPage(true)), url),
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
  return {
    async open(url) {
      faults = [];
      await page.goto(url);
      return { page, faults };
    },
    async leave() {
      if (!isKept) await context.close();
      else await reset(page);
      return isKept;
    },
  };
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

/** What it showed asks for nothing more, and what a test set for the page is as in a new one. */
async function reset(page: Page): Promise<void> {
  await page.goto('about:blank');
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

/** What axe finds that keeps people from using the view. */
export async function barriers(page: Page): Promise<string[]> {
  // Half a megabyte of script, which the page keeps while it shows other views and colours.
  if (!(await page.evaluate("'axe' in window")))
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResult;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

const PICTURES = join(import.meta.dirname, '../../../docs/how-to/console');

/** Renews a picture of the documentation when `TETRAD_RECORD_PICTURES` is set. */
export async function record(page: Page, name: string): Promise<void> {
  if (process.env['TETRAD_RECORD_PICTURES'] === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}
